# SPDX-License-Identifier: GPL-2.0
"""Chromium without a window, for tests of pages.

    with browser.Browser() as chromium:
        chromium.size(390, 844)
        chromium.dark(True)
        chromium.open("out/lab/incast/latest/index.html")
        chromium.run("return document.title")
        assert not chromium.console()

Needs chromium-driver and python3-selenium of Debian, and /usr/bin/python3, for
which these are built. The page has no network.
"""
import pathlib
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

FLAGS = ("--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
         "--disable-background-networking --disable-component-update --disable-sync "
         "--disable-dev-shm-usage --disable-extensions --no-proxy-server").split()
PHONE = 600  # px; a narrower page obeys <meta name="viewport">


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
        """Set the page size in CSS pixels; a window has a minimum width."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1,
            "mobile": width < PHONE})

    def dark(self, on):
        """Set the prefers-color-scheme of the page."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme",
                          "value": "dark" if on else "light"}]})

    def open(self, path):
        """Open a file by its path; forget messages of the previous page."""
        self.console()
        self.driver.get(pathlib.Path(path).resolve().as_uri())

    def run(self, script, *arguments):
        """Return the result of a JavaScript function with this body."""
        return self.driver.execute_script(script, *arguments)

    def find(self, selector):
        """Elements of a CSS selector, with .text, .click(), .send_keys()."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def console(self):
        """(level, text) of each message since the last call, also SEVERE errors."""
        return [(entry["level"], entry["message"])
                for entry in self.driver.get_log("browser")]
