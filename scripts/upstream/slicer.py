# SPDX-License-Identifier: GPL-2.0
"""Takes out of C files what names a thing that a series of patches lacks.

An absent name is 0: a function that does nothing, a pointer that is NULL, a bit that is not set. So a
statement that only serves absent names goes, a condition loses its absent terms, and a branch that
never runs goes with it. What is unused then (static functions, members, macros, parameters) is absent
too, until nothing changes. Comments go with their statement; kernel-doc loses the lines of a member or
parameter. The code has the style of the kernel, which this needs: one statement a line, blocks in
braces or indented, no commas between declarators that have different types.
"""
import re
from collections import Counter

from cexpr import ABSENT, ASSIGN, CLEAR, TRUE, Expressions
from ctext import TYPES, Tok, close, items, lex, names_in, split, text_of, until, words


class Slice(Expressions):
    """Files, and the names that they shall not have."""

    def __init__(self, files, names, headers, keep=lambda path: False):
        super().__init__(names)
        self.files, self.headers, self.keep = files, headers, keep
        self.indent, self.where, self.listed = "", {}, set(names)

    def structs(self):
        """Which structs have a member."""
        self.where = {}
        for text in self.files.values():
            for item in items(lex(text)):
                if item.kind == "type" and item.name and item.tokens[0].name != "enum":
                    for name in self.all_members(item.tokens[item.body + 1:close(item.tokens, item.body)]):
                        self.where.setdefault(name, set()).add(item.name)

    def all_members(self, tokens):
        out = self.member_names(tokens)
        for i, tok in enumerate(tokens):
            if tok.name == "{":
                out += self.all_members(tokens[i + 1:close(tokens, i)])
        return out

    def lose(self, struct, names):
        """Members of a struct are absent, also in code, if no other struct has such a name."""
        self.members |= {name for name in names if not self.where.get(name, set()) - {struct}}

    def run(self):
        for _ in range(40):
            before = dict(self.files), set(self.names), set(self.members)
            self.structs()
            self.parameters()
            for path in self.files:
                self.files[path] = self.file(path, self.files[path])
            self.unused()
            if before == (self.files, self.names, self.members):
                self.doubts = {doubt for doubt in self.doubts if doubt[1] not in self.listed}
                return self.files
        raise ValueError("the slice does not settle")

    # --- names

    def parameters(self):
        """Which parameters of functions have an absent type."""
        self.dropped = {}
        for path in self.files:
            for item in items(lex(self.files[path])):
                if item.kind in ("function", "prototype") and item.name not in self.names:
                    end = close(item.tokens, item.paren)
                    parts, _ = split(item.tokens[item.paren + 1:end], {","})
                    gone = {i for i, part in enumerate(parts) if self.is_absent(part[:-1]) or
                            part and f"{item.name}:{part[-1].name}" in self.names}
                    if gone:
                        self.dropped[item.name] = gone

    def unused(self):
        """Names that are defined and never used become absent, as do members."""
        texts = {path: lex(text) for path, text in self.files.items()}
        used = Counter(name for tokens in texts.values() for name in names_in(tokens))
        own, found = Counter(), set()
        for path, tokens in texts.items():
            for item in () if self.keep(path) else items(tokens):
                if item.kind in ("function", "prototype", "define", "type", "forward") and item.name:
                    own[item.name] += names_in(item.tokens).count(item.name)
                    found.add(item.name)
                elif item.tokens[0].name.startswith("EXPORT_SYMBOL"):
                    own[item.tokens[2].name] += 1
                if item.kind == "type" and item.name and item.tokens[0].name != "enum":
                    inside = item.tokens[item.body + 1:close(item.tokens, item.body)]
                    self.members |= {name for name in self.member_names(inside) if used[name] == 1}
        self.names |= {name for name in found
                       if used[name] == own[name] and not name.startswith("_") and not name.endswith("_H")}

    @staticmethod
    def member_names(tokens):
        """The names of the members of a struct."""
        out = []
        for part in split(tokens, {";"})[0]:
            text = words(part)
            found = re.match(r"DECLARE_\w+ \( (\w+)", text) or re.search(r"\( \* (\w+)", text) or \
                None if "{" in text or "(" in text and "____" not in text else True
            if found is True:
                text = re.sub(r" ____\w+.*| \[.*?\]| : \w+", "", text)
                out += [one.split()[-1] for one in text.split(" , ") if one.strip()]
            elif found:
                out.append(found[1])
        return out

    # --- files

    def file(self, path, text):
        self.path = path
        self.included = re.findall(r'^#include "(.*)"', text, re.M)
        tokens = lex(text)
        out, gap = "", False
        for item in items(tokens):
            new = self.item(path, item)
            if not new.strip():
                gap |= "\n\n" in item.tokens[0].pre
            elif gap:
                new = new if new.startswith("\n\n") else "\n" + new
                gap = False
            out += new
        out += tokens[-1].pre
        # what removals leave
        out = re.sub(r"\n{3,}", "\n\n", out)
        out = re.sub(r"\{\n\n+", "{\n", out)
        out = re.sub(r"\n\n(\t*\})", r"\n\1", out)
        return out

    def doc(self, pre, gone):
        """Kernel-doc without the lines of some names."""
        for name in gone:
            pre = re.sub(rf"^ \* @{name}: (?:.|\n \*[ \t]+\t)*\n(?: \*\t.*\n)*", "", pre, flags=re.M)
        return pre

    def item(self, path, item):
        tokens = item.tokens
        self.local = set()
        if item.kind == "include":
            instead = self.headers(path, item.name)
            if instead is None:
                return text_of(tokens)
            new = [name for name in instead if name not in self.included]
            self.included += new
            lines = "\n".join(f'#include "{name}"' for name in new)
            before = tokens[0].pre
            return before + lines if new else before.rstrip() if "/*" in before or "//" in before else ""
        if item.kind == "pp":
            return text_of(tokens)
        if item.kind == "type" and f"struct:{item.name}" in self.names:
            return ""
        if item.name and item.name in self.names:
            if item.kind == "type" and tokens[0].name == "enum":
                inside = tokens[item.body + 1:close(tokens, item.body)]
                self.names |= {part[0].name for part in split(inside, {","})[0] if part}
            return ""
        if item.kind == "define":
            if self.is_absent(tokens):
                self.names.add(item.name)
                return ""
            return text_of(tokens)
        if item.kind in ("function", "prototype"):
            end = close(tokens, item.paren)
            head = self.arguments(tokens[:end + 1], item)
            if self.is_absent(tokens[:item.paren]):
                self.names.add(item.name)
                return ""
            if item.kind == "prototype":
                return head + text_of(tokens[end + 1:])
            return self.function(path, item, head, tokens[end + 1:])
        if item.kind == "type":
            return self.type(item)
        if item.kind == "data" and item.body is not None and tokens[item.body].name == "=":
            if self.is_absent(tokens[:item.body]):
                self.names.add(item.name)
                return ""
            if tokens[item.body + 1].name == "{":
                return text_of(tokens[:item.body + 1]) + self.initialiser(tokens[item.body + 1:])
        if self.is_absent(tokens):
            if item.name:
                self.names.add(item.name)
            return ""
        return text_of(tokens)

    def arguments(self, tokens, item):
        """The head of a function, without absent parameters."""
        gone = self.dropped.get(item.name)
        if not gone:
            return text_of(tokens)
        parts, ops = split(tokens[item.paren + 1:-1], {","})
        names = [re.sub(r"\W", "", part[-1].name) for i, part in enumerate(parts) if i in gone]
        kept = [part for i, part in enumerate(parts) if i not in gone]
        inside = ",".join(text_of(part) for part in kept).lstrip() if kept else "void"
        return self.doc(text_of(tokens[:item.paren + 1]), names) + inside + ")"

    def type(self, item):
        tokens, end = item.tokens, close(item.tokens, item.body)
        inside, gone = self.fields(item.name, tokens[item.body + 1:end], tokens[0].name == "enum")
        head = text_of(tokens[:item.body + 1])
        if not inside.strip():
            self.names.add(item.name)
            return ""
        return self.doc(head, gone) + inside + text_of(tokens[end:])

    def fields(self, struct, tokens, is_enum):
        """The members or constants that stay, and the names of others."""
        out, gone = "", []
        parts, ops = split(tokens, {"," if is_enum else ";"})
        gap, at = False, -1
        for i, part in enumerate(parts):
            op = ops[i].pre + ops[i].text if i < len(ops) else ""
            if not part:
                out += op
                continue
            if is_enum:
                at += 1
                if part[0].name in self.names or self.is_absent(part[1:]):
                    gone.append(part[0].name)
                    self.names.add(part[0].name)
                    gap = True
                    continue
                # numbers of an interface stay
                number = f" = {at}" if gap and self.path.startswith("include/uapi") and len(part) == 1 else ""
                gap = False
                out += text_of(part) + number + op
                continue
            brace = next((k for k, t in enumerate(part) if t.name == "{"), None)
            if brace is not None:
                inner, lost = self.fields(struct, part[brace + 1:close(part, brace)], False)
                gone += lost
                if inner.strip():
                    out += text_of(part[:brace + 1]) + inner + text_of(part[close(part, brace):]) + op
                continue
            names = self.member_names(part)
            listed = any(f"{struct}.{name}" in self.names for name in names)
            if listed or any(name in self.members for name in names) or self.is_absent(part):
                gone += names
                if not listed:
                    self.lose(struct, names)
                continue
            out += text_of(part) + op
        return out, gone

    def initialiser(self, tokens):
        """{ ... } without absent entries."""
        end = close(tokens, 0)
        parts, ops = split(tokens[1:end], {","})
        out = tokens[0].pre + tokens[0].text
        for i, part in enumerate(parts):
            op = ops[i].pre + ops[i].text if i < len(ops) else ""
            if part and self.is_absent(part):
                continue
            out += text_of(part) + op
        return out + text_of(tokens[end:])

    # --- functions

    def function(self, path, item, head, tokens):
        gap = tokens[:next(i for i, t in enumerate(tokens) if t.name == "{")]
        body = tokens[len(gap):]
        self.function_name = item.name
        end = close(item.tokens, item.paren)
        parts, _ = split(item.tokens[item.paren + 1:end], {","})
        gone = {parts[i][-1].name for i in self.dropped.get(item.name, ()) if parts[i]}
        self.local = self.locals_of(body, gone)
        before = text_of(body)
        self.returns = words(item.tokens[:item.paren - 1])
        new = self.block(body)
        if new != before or not self.keep(path):
            new = self.tidy(new)
        if new != before:
            inside = new.strip()[1:-1].strip()
            if re.fullmatch(r"(return (0|false|NULL);)?", re.sub(r"/\*.*?\*/", "", inside, flags=re.S).strip()):
                self.names.add(item.name)
                return ""
        return head + text_of(gap) + new

    def locals_of(self, body, parameters):
        """Variables that only have absent values, or an absent type."""
        absent = set(parameters)
        while True:
            self.local = absent
            sets, other = {}, set()
            for i, tok in enumerate(body[:-1]):
                after, before = body[i + 1].name, body[i - 1].name
                if tok.name in TYPES and after in self.names:
                    name = next(t for t in body[i + 2:] if t.name != "*")
                    sets[name.name] = [True]
                if tok.kind != "id" or before in ("->", "."):
                    continue
                if after == "=":
                    value = body[i + 2:until(body, i + 2, (";", ",", ")"))]
                    if words(value) not in ("NULL", "0", "false"):
                        sets.setdefault(tok.name, []).append(
                            self.is_absent(value) and value[0].name != "{" and self.simplify(value) == ABSENT)
                elif after in ASSIGN or after in ("++", "--") or before in ("++", "--", "&"):
                    other.add(tok.name)
            declared = self.declared(body)
            new = {name for name, gone in sets.items() if name in declared and name not in other and all(gone)}
            if new <= absent:
                return absent
            absent = absent | new

    @staticmethod
    def declared(body):
        names = set()
        for i in range(1, len(body) - 1):
            if body[i].kind == "id" and body[i + 1].name in (";", ",", "=", "[") and \
               (body[i - 1].kind == "id" and body[i - 1].name not in ("return", "goto", "case") or
                    body[i - 1].name in ("*", ",")):
                names.add(body[i].name)
        return names

    def tidy(self, text):
        """A body without variables that are only declared."""
        while True:
            tokens = lex(text)
            count = Counter(tok.name for i, tok in enumerate(tokens)
                            if tok.kind == "id" and tokens[i - 1].name not in ("->", "."))
            for i, tok in enumerate(tokens):
                if tok.kind != "id" or tokens[i - 1].name not in ("{", "}", ";"):
                    continue
                end = until(tokens, i, (";", ")", "}", ""))
                head, decls = self.declaration(tokens[i:end])
                kept = [decl for decl in decls if count[self.variable(decl)] > 1]
                if tokens[end].name == ";" and len(kept) < len(decls):
                    text = text_of(tokens[:i]) + self.declare(head, kept) + text_of(tokens[end + 1:])
                    break
            else:
                return text

    @staticmethod
    def declaration(part):
        """The type and the declarators of a declaration; both are empty for other statements."""
        head = 0
        while head + 1 < len(part) and part[head].kind == "id" and \
                (part[head + 1].kind == "id" or part[head + 1].name == "*"):
            head += 1
        if not head or part[head].name == "(" or part[0].name in ("return", "goto", "case", "else", "break"):
            return [], []
        return part[:head], split(part[head:], {","})[0]

    @staticmethod
    def declare(head, decls):
        return text_of(head) + ",".join(" " + text_of(decl).strip() for decl in decls) + ";" if decls else ""

    @staticmethod
    def variable(decl):
        return next((t.name for t in decl if t.kind == "id"), None)

    # --- statements

    def block(self, tokens):
        """{ statements }"""
        end = close(tokens, 0)
        inside = self.statements(tokens[1:end])
        return tokens[0].pre + tokens[0].text + inside + text_of(tokens[end:])

    def statements(self, tokens):
        out, i, gap = "", 0, False
        gone_case = False
        while i < len(tokens):
            node, end = self.parse(tokens, i)
            part = tokens[i:end]
            i = end
            if node == "case":
                gone_case = self.is_absent(part)
            if gone_case and node != "label":
                continue
            gone_case = False
            new = self.statement(node, part)
            # a blank line before a statement that went
            if not new.strip():
                gap |= "\n\n" in part[0].pre
            elif gap:
                new = new if re.match(r"\s*\n\s*\n", new) else "\n" + new
                gap = False
            out += new
        return out

    def parse(self, tokens, i):
        """Kind and end of the statement at @i."""
        tok = tokens[i]
        if tok.kind == "pp":
            return "pp", i + 1
        if tok.name == "{":
            return "block", close(tokens, i) + 1
        if tok.name == "if":
            end = self.parse(tokens, close(tokens, i + 1) + 1)[1]
            if end < len(tokens) and tokens[end].name == "else":
                end = self.parse(tokens, end + 1)[1]
            return "if", end
        if tok.name in ("for", "while", "switch"):
            return "loop", self.parse(tokens, close(tokens, i + 1) + 1)[1]
        if tok.name == "do":
            end = self.parse(tokens, i + 1)[1]
            return "do", close(tokens, end + 1) + 2
        if tok.name in ("case", "default"):
            return "case", until(tokens, i, (":",)) + 1
        if tok.kind == "id" and tokens[i + 1].name == ":":
            return "label", i + 2
        if tok.kind == "id" and tokens[i + 1].name == "(":
            end = close(tokens, i + 1)
            if tokens[end + 1].kind == "id" or tokens[end + 1].name == "{":
                return "loop", self.parse(tokens, end + 1)[1]
        i = until(tokens, i, (";",))
        return "simple", i + 1

    def statement(self, node, part):
        if not self.needs(part):
            return text_of(part)
        if node == "block":
            return self.block(part)
        if node == "if":
            return self.branch(part)
        if node == "loop":
            end = close(part, 1)
            if self.is_absent(part[2:end]):
                return ""
            body = self.inner(part[end + 1:])
            if not body.strip() or re.fullmatch(r"\s*\{\s*\}", body):
                return ""
            return text_of(part[:end + 1]) + self.unbraced(body)
        if node == "simple":
            return self.simple(part)
        return text_of(part)

    def inner(self, part):
        """A statement of a branch or loop."""
        node, _ = self.parse(part, 0)
        return self.statement(node, part)

    def simple(self, part):
        """A statement with a semicolon."""
        first, semi = part[0], part[-1]
        if first.name in ("return", ) and len(part) > 2:
            value = self.simplify(part[1:-1])
            if value in (ABSENT, TRUE):
                if words(part[1:-1]).isupper():
                    self.doubt(part)
                word = "NULL" if "*" in self.returns else \
                    ("false" if value == ABSENT else "true") if "bool" in self.returns else \
                    "0" if value == ABSENT else "1"
                if self.returns.split()[-1] == "void":
                    return ""
                return f"{first.pre}return {word};"
            return text_of([first] + value + [semi])
        declared = self.variables(part)
        if declared is not None:
            return declared
        parts, ops = split(part[:-1], ASSIGN)
        if len(ops) == 1:
            left = self.simplify(parts[0])
            if left in (ABSENT, TRUE):
                return ""
            value = self.simplify(parts[1])
            if value in (ABSENT, TRUE):
                return ""
            return text_of(left + ops + value + [semi])
        value = self.simplify(part[:-1])
        return "" if value in (ABSENT, TRUE) else text_of(value + [semi])

    def variables(self, part):
        """A declaration of variables without absent ones; None: it is no declaration."""
        head, decls = self.declaration(part[:-1])
        if not decls:
            return None
        kept = []
        for decl in () if self.is_absent(head) else decls:
            sub, eq = split(decl, {"="})
            if self.variable(decl) in self.local:
                continue
            if eq and self.needs(sub[1]):
                if sub[1][0].name == "{":
                    value = lex(self.initialiser(sub[1]))[:-1]
                else:
                    value = self.simplify(sub[1])
                if value in (ABSENT, TRUE):
                    zero = "NULL" if sub[0][0].name == "*" else "0" if value == ABSENT else "1"
                    value = [Tok(" ", zero, "num")]
                decl = sub[0] + eq + value
            kept.append(decl)
        return self.declare(head, kept)

    def unbraced(self, text):
        """A block without braces, if it has one statement on one line."""
        tokens = lex(text)[:-1]
        if not tokens or tokens[0].name != "{" or "/*" in text:
            return text
        inside = tokens[1:-1]
        if not inside or self.parse(inside, 0) != ("simple", len(inside)) or "\n" in text_of(inside).strip():
            return text
        return text_of(inside)

    def branch(self, part):
        """An if statement."""
        end = close(part, 1)
        cond = self.simplify(part[2:end])
        yes_end = self.parse(part, end + 1)[1]
        outer = self.indent
        if "\n" in part[0].pre:
            self.indent = part[0].pre.rsplit("\n", 1)[-1]
        indent = self.indent
        yes = self.inner(part[end + 1:yes_end]) if cond != ABSENT else ""
        no = self.inner(part[yes_end + 1:]) if yes_end < len(part) and cond != TRUE else ""
        self.indent = outer
        if cond == TRUE and re.search(r"\b(return\b[^;]*|goto \w+);\s*\}?\s*$", yes):
            self.doubt(part[:end + 1])
        if cond in (TRUE, ABSENT):
            return self.unwrap(part[0], yes if cond == TRUE else no)

        def empty(text):
            return not text.strip() or bool(re.fullmatch(r"\s*\{\s*\}", text))

        if empty(yes) and empty(no):
            return ""
        begin = text_of(part[:1]) + part[1].pre
        if empty(yes):
            if cond[0].name in ("likely", "unlikely"):
                cond = cond[2:-1]
            if split(cond, {"&&", "||", "==", "!=", "<", ">", "<=", ">=", "&", "|"})[1]:
                cond = [Tok("", "(", "op")] + cond + [Tok("", ")", "op")]
            no = f"\n{indent}{no.lstrip()}" if no.strip().startswith("if") else no
            return f"{begin}(!{text_of(cond).lstrip()})" + self.unbraced(self.placed(no, indent))
        begin += f"({text_of(cond).lstrip()})"
        if empty(no):
            return begin + self.unbraced(yes)
        no = self.placed(no, indent)
        if yes.strip().startswith("{") and not re.match(r"\s*\{| if\b", no):
            no = f" {{{no}\n{indent}}}"
        return begin + yes + text_of(part[yes_end:yes_end + 1]) + no

    def placed(self, text, indent):
        """The statements of a branch, on lines of their own, in braces if there are several."""
        if re.match(r"\s*\{", text) or re.match(r" if\b", text):
            return text
        lines = text.strip("\n").split("\n")
        own = re.match(r"\t*", lines[0])[0]
        text = "".join("\n" + indent + "\t" + re.sub(rf"^{own}", "", line).lstrip(" ") for line in lines)
        return text

    @staticmethod
    def unwrap(first, text):
        """The statements of a branch, in its place."""
        if not text.strip():
            return ""
        stripped = text.strip()
        if stripped.startswith("{"):
            inside = stripped[1:-1]
            return first.pre.rstrip() + re.sub(r"\n\t", "\n", inside.rstrip()) if inside.strip() else ""
        return first.pre + re.sub(r"\n\t", "\n", text).lstrip()
