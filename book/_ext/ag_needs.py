"""What code needs beyond NumPy and Python's own library, told from the text of the package alone.

The package is read as a graph: a function or class leads to the functions, classes and imports that it mentions, and to
a method where both its class and its name are mentioned. Whoever reaches an import of anything else needs it; an import
that is allowed to fail needs nothing. What a table of functions holds is not followed: that no cell with a button needs
more than it says is tested by running all of them.
"""

import ast
import sys
from pathlib import Path

PACKAGE = "attention_geometry"
#: Parts of Python's own library that do nothing in a page, or lead out of it.
NOT_IN_A_PAGE = {
    *("ctypes", "ftplib", "http", "multiprocessing", "pip", "smtplib", "socket", "sqlite3", "ssl", "subprocess"),
    *("tkinter", "urllib", "webbrowser", "xmlrpc"),
}
ON_REQUEST = {"numba"}  # asked for by an option alone, such as solver="numba"
LIGHT = {"numpy", *ON_REQUEST, *sys.stdlib_module_names} - NOT_IN_A_PAGE

AT_IMPORT = (ast.Import, ast.ImportFrom, ast.Expr, ast.If, ast.Try)


class Package:
    """The graph of a package's names: nodes (module, name), what an import runs (module, ""), libraries ("", name)."""

    def __init__(self, folder: Path, without: str = ""):
        self.trees, self.graph, self.methods = {}, {}, {}
        self.absent, inside = set(), {}
        for path in sorted(folder.rglob("*.py")):
            parts = [PACKAGE, *path.relative_to(folder).with_suffix("").parts]
            module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            if without and module.startswith(f"{PACKAGE}.{without}"):
                self.absent.add(module)  # a part that is not there counts as a library
                continue
            self.trees[module] = ast.parse(path.read_text(encoding="utf-8"))
            inside[module] = module if path.name == "__init__.py" else module.rpartition(".")[0]
        for module, tree in self.trees.items():
            self.enter(module, tree, self.scope(tree, inside[module], module))

    def needs(self, trees) -> set[str]:
        """The libraries beside NumPy that these statements need, by themselves or through the package."""
        tree = ast.Module(list(trees), [])
        return self.reached(self.mentions(tree, self.scope(tree)))

    def module_needs(self, module: str) -> set[str]:
        """The libraries beside NumPy that importing a module of the package needs."""
        return self.reached({(module, "")})

    def reached(self, nodes) -> set[str]:
        found, ahead = set(), list(nodes)
        while ahead:
            if (node := ahead.pop()) in found:
                continue
            found.add(node)
            ahead += self.graph.get(node, ())
            ahead += [method for method in self.methods.get(node, ()) if (".", method[1].rpartition(".")[2]) in found]
            if node[0] == ".":
                ahead += [m for owner in found for m in self.methods.get(owner, ()) if m[1].endswith(f".{node[1]}")]
        return {name for module, name in found if not module} - LIGHT

    def enter(self, module, tree, scope):
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                methods = [part for part in node.body if isinstance(part, ast.FunctionDef) and part.name[:2] != "__"]
                names = [(module, f"{node.name}.{method.name}") for method in methods]
                self.methods[module, node.name] = names
                for name, method in zip(names, methods):
                    self.graph[name] = self.mentions(method, scope)
                rest = [part for part in node.body if part not in methods]
                self.graph[module, node.name] = self.mentions(ast.Module([*node.bases, *rest], []), scope)
            elif isinstance(node, ast.FunctionDef):
                self.graph[module, node.name] = self.mentions(node, scope)
            elif isinstance(node, AT_IMPORT) or "require(" in ast.unparse(node):
                self.graph.setdefault((module, ""), set()).update(self.mentions(node, scope))

    def scope(self, tree, inside="", module=None) -> dict:
        """What each imported name, and each name at the top of a module, stands for."""
        found = {"": inside}  # where relative imports start
        for part in ast.walk(tree):
            if isinstance(part, ast.ImportFrom):
                source = origin(part, inside)
                for alias in part.names:
                    inner = f"{source}.{alias.name}"
                    found[alias.asname or alias.name] = (inner, "") if inner in self.trees else (source, alias.name)
            elif isinstance(part, ast.Import):
                found |= {alias.asname: (alias.name, "") for alias in part.names if alias.asname}
        defined = [node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))]
        return found | {name: (module, name) for name in defined if module}

    def mentions(self, tree, scope) -> set:
        found, excused = set(), set()
        for part in ast.walk(tree):
            if id(part) in excused:
                continue
            if isinstance(part, ast.Try) and any("ImportError" in ast.unparse(h.type or h) for h in part.handlers):
                excused |= {id(inner) for statement in part.body for inner in ast.walk(statement)}
            elif isinstance(part, ast.Import):
                found |= {self.imported(alias.name) for alias in part.names}
            elif isinstance(part, ast.ImportFrom):
                source = origin(part, scope[""])
                inner = {f"{source}.{alias.name}" for alias in part.names} & (self.absent | set(self.trees))
                found |= {self.imported(name) for name in (source, *inner)}
            elif isinstance(part, ast.Name) and part.id in scope:
                found.add(scope[part.id])
            elif isinstance(part, ast.Attribute):
                module, name = scope.get(getattr(part.value, "id", None), ("", "."))
                found |= {(module, part.attr)} if module and not name else {(".", part.attr)}
            elif isinstance(part, ast.Call) and getattr(part.func, "id", "") == "require":
                names = [name.value for name in part.args[:1] if isinstance(name, ast.Constant)]
                found |= {("", name.partition(".")[0]) for name in names}
        return found

    def imported(self, name):
        if name in self.trees:
            return (name, "")
        return ("", name if name in self.absent else name.partition(".")[0])


def origin(node: ast.ImportFrom, inside: str) -> str:
    """The module that ``from … import`` names, relative ones resolved."""
    above = inside.split(".")[: len(inside.split(".")) - node.level + 1] if node.level else []
    return ".".join([*above, *([node.module] if node.module else [])])
