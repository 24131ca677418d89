# SPDX-License-Identifier: GPL-2.0
"""Renders buffers.json.j2 and qos.json.j2 with Jinja2, in its sandbox, for --template."""
import json
import os

from .errors import Unreadable
from .reading import load, parse


def renderer(data_file, folder=None):
    """A function of a template's path. data_file: JSON with minigraph's and other variables."""
    try:
        from jinja2 import ChoiceLoader, FileSystemLoader, FunctionLoader, TemplateError
        from jinja2.sandbox import SandboxedEnvironment
    except ImportError:
        raise Unreadable("--template needs python3-jinja2") from None
    data = parse(load(data_file), data_file) if data_file else {}
    if not isinstance(data, dict):
        raise Unreadable("not an object of variables", data_file, 1)

    def render(path):
        folders = [os.path.dirname(path) or ".", *([folder] if folder else [])]
        # what is included and missing is empty: pools do not depend on the list of ports
        env = SandboxedEnvironment(trim_blocks=True, extensions=["jinja2.ext.do"], loader=(
            ChoiceLoader([FileSystemLoader(folders), FunctionLoader(lambda name: "")])))
        env.filters["to_json"] = json.dumps
        try:
            module = env.from_string(load(path)).make_module(data)
            pools = getattr(module, "generate_buffer_pool_and_profiles", None)
            text = str(module)
            if pools and "BUFFER_POOL" not in text:
                text = str(pools())
        except TemplateError as error:
            raise Unreadable(f"template: {type(error).__name__}: {error}", path,
                             getattr(error, "lineno", 0) or 0) from None
        except (RecursionError, OverflowError, ArithmeticError, TypeError, ValueError,
                AttributeError, KeyError, MemoryError) as error:
            raise Unreadable(f"template: {type(error).__name__}: {error}", path) from None
        stripped = text.strip()
        # a template of pools only has members without braces around them
        return stripped if stripped.startswith(("{", "[")) else "{" + stripped.rstrip(",") + "}"
    return render
