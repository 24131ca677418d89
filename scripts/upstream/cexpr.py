# SPDX-License-Identifier: GPL-2.0
"""What is left of a C expression if some names in it are 0."""
import re

from ctext import Tok, close, join, lex, split, text_of, words

# macros that have the value of their argument
CLEAR = {"likely", "unlikely", "READ_ONCE", "rcu_dereference", "rcu_dereference_bh", "rtnl_dereference",
         "rcu_access_pointer", "IS_ERR", "IS_ERR_OR_NULL", "PTR_ERR", "ERR_CAST", "hweight8", "atomic_read",
         "nla_get_u8", "nla_get_u32", "nla_get_flag", "BIT"}
LEVELS = [{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"<<", ">>"}, {"+", "-"},
          {"*", "/", "%"}]
ASSIGN = {"=", "|=", "&=", "+=", "-=", "^=", "<<=", ">>=", "*=", "/="}
ABSENT, TRUE = "absent", "true"


class Expressions:
    """Expressions with absent names: see slicer.py."""

    def __init__(self, names):
        self.names = {name for name in names if not name.startswith(".")}
        self.members = {name[1:] for name in names if name.startswith(".")}
        # absent members behind a pointer of one name
        self.some = {tuple(name.split("->")) for name in names if "->" in name}
        # absent variables of the function; absent parameters of functions
        self.local, self.dropped = set(), {}
        # expressions with a value that was assumed
        self.doubts = set()

    def is_absent(self, tokens):
        """Does any token have an absent name?"""
        for i, tok in enumerate(tokens):
            if tok.kind == "pp":
                if any(name in self.names for name in re.findall(r"\w+", tok.text)):
                    return True
            elif tok.kind == "id":
                before = tokens[i - 1].name if i else ""
                if before in ("->", "."):
                    if tok.name in self.members or before == "->" and i > 1 and \
                            (tokens[i - 2].name, tok.name) in self.some:
                        return True
                elif tok.name in self.names or tok.name in self.local:
                    return True
        return False

    def simplify(self, tokens):
        """The tokens of an expression that stay, or ABSENT or TRUE."""
        if not tokens or not self.needs(tokens):
            return tokens
        cases = split(tokens, {"?", ":"})[0][1:]
        if not all(self.is_absent(case) or words(case) in ("NULL", "0") for case in cases):
            self.doubt(tokens)
        for level in LEVELS:
            parts, ops = split(tokens, level, True)
            if ops:
                return self.like(tokens, self.binary(tokens, parts, ops))
        return self.unary(tokens)

    def doubt(self, tokens):
        self.doubts.add((self.path, self.function_name, " ".join(text_of(tokens).split())))

    def needs(self, tokens):
        return self.is_absent(tokens) or any(t.name in self.dropped for t in tokens)

    @staticmethod
    def like(tokens, value):
        """@value with the blanks before @tokens."""
        if value in (ABSENT, TRUE) or not value:
            return value
        return [Tok(tokens[0].pre, value[0].text, value[0].kind)] + value[1:] if value[0] is not tokens[0] else value

    def binary(self, tokens, parts, ops):
        values = [self.simplify(part) for part in parts]
        op = ops[0].name
        if op in ("==", "!=", "<", ">", "<=", ">="):
            lost = [value for value in values if value in (ABSENT, TRUE)]
            if not lost:
                return join(values, ops)
            if len(lost) == 1 and op not in ("==", "!="):
                self.doubt(tokens)
            return TRUE if op == "!=" else ABSENT
        # what decides, and what changes nothing
        strong, weak = (TRUE, ABSENT) if op in ("||", "|", "^", "+", "-") else (ABSENT, TRUE)
        if strong in values:
            return strong
        kept = [(value, oper) for value, oper in zip(values, [None] + ops) if value != weak]
        if not kept:
            return weak
        return join([value for value, _ in kept], [oper for _, oper in kept[1:]])

    def unary(self, tokens):
        first = tokens[0].name
        if first == "!":
            value = self.simplify(tokens[1:])
            return {ABSENT: TRUE, TRUE: ABSENT}.get(value) if isinstance(value, str) else [tokens[0]] + value
        if first == "~":
            value = self.simplify(tokens[1:])
            return TRUE if value == ABSENT else [tokens[0]] + value
        if first in ("*", "&", "-"):
            value = self.simplify(tokens[1:])
            return value if value in (ABSENT, TRUE) else [tokens[0]] + value
        if first == "(":
            end = close(tokens, 0)
            if end == len(tokens) - 1:
                value = self.simplify(tokens[1:end])
                if value in (ABSENT, TRUE):
                    return value
                if len(value) == 1 or not split(value, ASSIGN.union({"?"}, *LEVELS))[1]:
                    return value
                return [tokens[0]] + value + [tokens[end]]
            if tokens[end + 1].kind in ("id", "num") or tokens[end + 1].name in ("(", "&", "*", "{", "-", "~"):
                if tokens[end + 1].name == "{":
                    return tokens[:end + 1] + lex(self.initialiser(tokens[end + 1:]))[:-1]
                value = self.simplify(tokens[end + 1:])
                return value if value in (ABSENT, TRUE) else tokens[:end + 1] + value
        if first in CLEAR and len(tokens) > 2 and tokens[1].name == "(" and close(tokens, 1) == len(tokens) - 1:
            value = self.simplify(tokens[2:-1])
            return value if value in (ABSENT, TRUE) else tokens[:2] + value + tokens[-1:]
        return self.postfix(tokens)

    def postfix(self, tokens):
        """name(arguments)->member[index]..."""
        out, i = [], 0
        while i < len(tokens):
            tok = tokens[i]
            is_member = i and tokens[i - 1].name in ("->", ".")
            if tok.kind == "id" and self.is_absent(tokens[max(0, i - 2):i + 1] if is_member else [tok]):
                return ABSENT
            if tok.name in ("(", "["):
                end = close(tokens, i)
                inside = tokens[i + 1:end]
                callee = tokens[i - 1].name if i else ""
                gone = self.dropped.get(callee, ()) if tok.name == "(" else ()
                if inside and (gone or self.needs(inside)):
                    parts, _ = split(inside, {","})
                    values = []
                    for k, part in enumerate(parts):
                        if k in gone:
                            continue
                        value = self.simplify(part)
                        if value in (ABSENT, TRUE):
                            return ABSENT
                        values.append(value)
                    if values:
                        values[0] = [Tok("", values[0][0].text, values[0][0].kind)] + values[0][1:]
                    inside = [t for k, v in enumerate(values) for t in ([Tok("", ",", "op")] if k else []) + v]
                out += [tok] + inside + [tokens[end]]
                i = end + 1
                continue
            out.append(tok)
            i += 1
        return out
