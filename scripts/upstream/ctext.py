# SPDX-License-Identifier: GPL-2.0
"""Tokens and top-level items of C files in the style of the kernel."""
import re

TOKEN = re.compile(r"""
    (?P<pp>^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*) | (?P<com>/\*.*?\*/|//[^\n]*) | (?P<ws>\s+) |
    (?P<str>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*') | (?P<id>[A-Za-z_]\w*) | (?P<num>\.?\d(?:[eE][+-]|[\w.])*) |
    (?P<op>->|\+\+|--|<<=|>>=|\.\.\.|[-+*/%&|^!=<>]=|&&|\|\||<<|>>|[^\s\w])""", re.S | re.M | re.X)
TYPES = {"struct", "union", "enum"}
# names of this project
OWN = re.compile(r"\b_*(?:trace_)?(?:lle|lossless|ldcp|LLE|LOSSLESS|TCA_LOSSLESS|LDCP)_\w+\b(?!\.[ch]\b)")


class Tok:
    """A token, with the blanks and comments before it."""

    def __init__(self, pre, text, kind):
        self.pre, self.text, self.kind = pre, text, kind

    @property
    def name(self):
        """The token without a comment that follows it."""
        return '"' if self.kind == "str" else self.text.split("/*")[0].rstrip()

    def __repr__(self):
        return self.text


def lex(text):
    """Tokens of a text; the last one is empty. A comment on the line of a token is in its text."""
    tokens, pre = [], ""
    for match in TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "com" and tokens and "\n" not in pre and not tokens[-1].kind == "pp":
            tokens[-1].text += pre + match[0]
            pre = ""
        elif kind in ("com", "ws"):
            pre += match[0]
        else:
            tokens.append(Tok(pre, match[0], kind))
            pre = ""
    return tokens + [Tok(pre, "", "end")]


def text_of(tokens):
    return "".join(tok.pre + tok.text for tok in tokens)


def words(tokens):
    return " ".join(tok.name for tok in tokens)


def close(tokens, at):
    """Index of the bracket that closes the one at @at."""
    depth = 0
    for i in range(at, len(tokens)):
        if tokens[i].name in ("(", "[", "{"):
            depth += 1
        elif tokens[i].name in (")", "]", "}"):
            depth -= 1
            if not depth:
                return i
    raise ValueError(f"no end: {text_of(tokens[at:at + 20])}")


def until(tokens, i, stops):
    """Index of the first of some tokens from @i on, outside brackets."""
    while tokens[i].name not in stops:
        i = close(tokens, i) + 1 if tokens[i].name in ("(", "[", "{") else i + 1
    return i


def names_in(tokens):
    """All names in tokens, also in directives."""
    return [name for tok in tokens if tok.kind in ("id", "pp") for name in re.findall(r"\w+", tok.text)]


def split(tokens, by, binary=False):
    """Parts between operators @by outside brackets, and the operators."""
    parts, ops, begin, i = [], [], 0, 0
    while i < len(tokens):
        if tokens[i].name in ("(", "[", "{"):
            i = close(tokens, i)
        elif tokens[i].name in by and (not binary or i > begin and (
                tokens[i - 1].kind in ("id", "num", "str") or tokens[i - 1].name in (")", "]"))):
            parts.append(tokens[begin:i])
            ops.append(tokens[i])
            begin = i + 1
        i += 1
    return parts + [tokens[begin:]], ops


def join(parts, ops):
    out = list(parts[0])
    for op, part in zip(ops, parts[1:]):
        out += [op] + part
    return out


class Item:
    """What stands at the top level of a file."""

    def __init__(self, tokens):
        self.tokens, self.kind, self.name, self.body = tokens, "other", None, None
        first = tokens[0]
        if first.kind == "pp":
            self.kind = "pp"
            found = re.match(r"\s*#\s*define\s+(\w+)", first.text)
            if found:
                self.kind, self.name = "define", found[1]
            found = re.match(r'\s*#\s*include\s+["<]([^">]*)', first.text)
            if found:
                self.kind, self.name = "include", found[1]
            return
        at = next((i for i, t in enumerate(tokens) if t.name in ("{", "=")), None)
        paren = next((i for i, t in enumerate(tokens) if t.name == "(" and i and tokens[i - 1].kind == "id"
                      and tokens[i + 1].name != "*"
                      and not re.fullmatch(r"DECLARE_\w+|DEFINE_\w+|__\w+|TRACE_EVENT", tokens[i - 1].name)), None)
        if at is not None and tokens[at].name == "{":
            if paren is not None and paren < at and tokens[-1].name == "}":
                self.kind, self.name, self.paren, self.body = "function", tokens[paren - 1].name, paren, at
            elif tokens[0].name in TYPES:
                self.kind, self.body = "type", at
                self.name = tokens[1].name if at > 1 else None
        elif at is not None:
            self.kind = "data"
            self.name = self.variable(tokens[:at])
            self.body = at
        elif paren is not None and tokens[-1].name == ";" and paren > 1:
            self.kind, self.name, self.paren = "prototype", tokens[paren - 1].name, paren
        elif tokens[0].name in TYPES and len(tokens) == 3:
            self.kind, self.name = "forward", tokens[1].name
        elif tokens[-1].name == ";" and paren is None:
            self.kind, self.name = "data", self.variable(tokens)

    @staticmethod
    def variable(tokens):
        """The name that a declaration declares."""
        end = next((i for i, t in enumerate(tokens) if t.name == "["), len(tokens))
        names = [t.name for t in tokens[:end] if t.kind == "id" and not t.name.startswith("__")]
        return names[-1] if names and tokens[end - 1].name != ")" else None


def items(tokens):
    """The items of a file; the last token is not in them."""
    out, i = [], 0
    while i < len(tokens) - 1:
        begin = i
        if tokens[i].kind != "pp":
            while True:
                if tokens[i].name in ("(", "["):
                    i = close(tokens, i)
                    if re.match(r"TRACE_|DECLARE_EVENT_|DEFINE_EVENT", tokens[begin].name):
                        i += tokens[i + 1].name == ";"
                        break
                elif tokens[i].name == "{":
                    inside = any(t.name == "=" for t in tokens[begin:i]) or tokens[begin].name in TYPES \
                        and not any(t.name == "(" for t in tokens[begin:i])
                    i = close(tokens, i)
                    if not inside:
                        break
                elif tokens[i].name == ";":
                    break
                i += 1
        i += 1
        out.append(Item(tokens[begin:i]))
    return out


def defined(text):
    """The names that a file defines, and the functions that it only declares."""
    out, declared = set(), set()
    for item in items(lex(text)):
        if item.kind == "prototype":
            declared.add(item.name)
        elif item.kind not in ("forward", "include"):
            out.add(item.name or "")
        if item.kind == "type" and item.tokens[0].name == "enum":
            inside = item.tokens[item.body + 1:close(item.tokens, item.body)]
            out |= {part[0].name for part in split(inside, {","})[0] if part}
    return out, declared


def absent(files, others):
    """Names of this project that only @others, texts, define, and functions that @files only declare."""
    here, declared, names = set(), set(), set()
    for text in files:
        out, only = defined(text)
        here |= out
        # tracepoints have no definition that can be read
        declared |= only | set(re.findall(r"\btrace_\w+", text))
    for text in others:
        names |= set().union(*defined(text))
    return {name for name in (names | declared) - here if OWN.fullmatch(name)}
