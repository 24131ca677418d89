# SPDX-License-Identifier: GPL-2.0
"""Chromium without a window, for tests of pages (Debian: chromium-driver, python3-selenium).

    with browser.Browser() as chromium:
        chromium.size(390, 844)
        chromium.dark(True)
        chromium.open("out/lab/incast/latest/index.html")
        chromium.run("return document.title")
        assert not chromium.console()

Run it by /usr/bin/python3: Debian's packages are for that one. The page gets no network.
"""
import base64
import pathlib
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

FLAGS = ("--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
         "--disable-background-networking --disable-component-update --disable-sync "
         "--disable-dev-shm-usage --disable-extensions --no-proxy-server").split()
PHONE = 600  # px; narrower than this, it is a phone, which obeys <meta name="viewport">


class Browser:
    """One tab of a browser of its own."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="lle-chromium-")
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for flag in FLAGS + [f"--user-data-dir={self.profile.name}",
                             "--host-resolver-rules=MAP * ~NOTFOUND"]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.ignore_local_proxy_environment_variables()
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"),
                                       options=options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()
        self.profile.cleanup()

    def size(self, width, height=900):
        """CSS pixels of the page; a window could not be as narrow as a phone."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1,
            "mobile": width < PHONE})

    def dark(self, on):
        """What the page learns by prefers-color-scheme."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme",
                          "value": "dark" if on else "light"}]})

    def open(self, path):
        """A file, by its path. Forgets the messages of the page before."""
        self.console()
        self.driver.get(pathlib.Path(path).resolve().as_uri())

    def run(self, script, *arguments):
        """What a function of JavaScript with this body returns."""
        return self.driver.execute_script(script, *arguments)

    def find(self, selector):
        """The elements that a CSS selector finds: .text, .click(), .send_keys()."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def console(self):
        """(level, text) of each message since the last call: what scripts print, errors
        that they did not catch (SEVERE), and what could not be loaded."""
        return [(entry["level"], entry["message"])
                for entry in self.driver.get_log("browser")]

    def screenshot(self, path, whole=True):
        """PNG of the whole page, or only of what the window shows."""
        taken = self.driver.execute_cdp_cmd("Page.captureScreenshot", {
            "format": "png", "captureBeyondViewport": whole} | (
                {"clip": self.clip()} if whole else {}))
        pathlib.Path(path).write_bytes(base64.b64decode(taken["data"]))

    def clip(self):
        size = self.driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
        return {"x": 0, "y": 0, "width": size["width"], "height": size["height"],
                "scale": 1}
