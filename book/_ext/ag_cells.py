"""Run one cell of a page with what it needs of the cells above it, and nothing else.

This file uses Python's own library alone: the build reads it to tell which cells can run in a page, and the page runs
it in Pyodide. Every run starts afresh, so that the order of the clicks never matters: what counts is the text of the
cells as it stands. From the cells above come only the statements on which the cell depends.
"""

import ast
import contextlib
import functools
import io
import json
import symtable
import traceback

LIMIT = 100_000  # characters of output that are kept
HERE, ABOVE = "<this cell>", "<a cell above>"
DEFINITIONS = (ast.FunctionDef, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
AT_ONCE = {"listcomp", "setcomp", "dictcomp", "genexpr"}  # scopes that read when they are reached, not when called


def run(cells, index):
    """Run a cell after the statements it needs, and give its output as JSON: what it printed and showed, its error.

    Parameters
    ----------
    cells : list of str
        The text of all code cells of a page, in order.
    index : int
        Which of them to run.

    Returns
    -------
    str
        An object with the texts ``"output"`` and ``"error"``, one of which may be empty.
    """
    namespace, kept = {"__name__": "__main__"}, Kept()
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            for statement in needed(cells, index):
                execute([statement], ABOVE, namespace)
        with contextlib.redirect_stdout(kept), contextlib.redirect_stderr(kept):
            show(cells[index], namespace)
        error = ""
    except BaseException as raised:  # SystemExit and the like end a cell, not the page's Python
        error = tail(raised, cells, index)
    return json.dumps({"output": kept.text(), "error": error})


def show(source, namespace):
    """Execute a cell; the value of a last line that is an expression is printed as its repr, as in a notebook."""
    body = ast.parse(source, HERE).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) and not source.rstrip().endswith(";") else None
    execute(body, HERE, namespace)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), HERE, "eval"), namespace)
        if value is not None:
            print(repr(value))


def execute(statements, name, namespace):
    exec(compile(ast.Module(statements, []), name, "exec"), namespace)


class Kept(io.StringIO):
    """Output up to a limit: a loop that prints for ever must not fill the reader's memory."""

    left_out = 0

    def write(self, text):
        fits = text[: max(0, LIMIT - self.tell())]
        super().write(fits)
        self.left_out += len(text) - len(fits)
        return len(text)

    def text(self):
        return self.getvalue() + (f"… {self.left_out} more characters" if self.left_out else "")


def tail(error, cells, index):
    """What went wrong, and in which line of which cell."""
    if isinstance(error, SyntaxError) and error.filename == HERE:
        return f"{type(error).__name__}: {error.msg}\n  line {error.lineno}: {(error.text or '').strip()}"
    said = "".join(traceback.format_exception_only(error)).strip()
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in (HERE, ABOVE)]
    if frames and frames[-1].filename == HERE:
        said += f"\n  line {frames[-1].lineno}: {cells[index].splitlines()[frames[-1].lineno - 1].strip()}"
    elif frames:
        said += "\n  raised in a cell above, of which this one needs a part"
    if isinstance(error, ModuleNotFoundError):
        said += "\n  This page's Python has NumPy and Python's own library; open the chapter elsewhere for more."
    for source in unreadable(cells[:index]):
        said += f"\n  Left out, for it cannot be read as Python, is the cell above that begins: {source[:60]}"
    return said


# -------------------------------------------------------- what a cell needs


def needed(cells, index):
    """The statements of the cells above that a cell depends on, in their order.

    A statement is needed if it binds, or changes in place, a name that the cell or a needed statement below it reads.
    An import of several names counts as several statements. A random generator is changed by every use. What a
    function reads when it is called counts where its name is read.
    """
    below = sum(len(read(cell)) for cell in cells[:index])  # where the cell itself starts
    order = [one for cell in cells[: index + 1] for one in read(cell)]
    restless = {name for one in order if one.makes_generator for name in one.binds}
    late = {}
    for one in order:
        for name in one.binds:
            late[name] = late.get(name, set()) | one.late
    found, wanted = [], set()
    for place, one in reversed(list(enumerate(order))):
        used = closure(one.reads, late)
        if place >= below or (one.binds | one.changes | used & restless) & wanted:
            wanted = (wanted - one.surely_binds) | used
            found += [one.node] * (place < below)
    return found[::-1]


@functools.cache
def read(source):
    return tuple(Statement(node) for node in statements(source))


def statements(source):
    """The statements of a cell, imports one name at a time; of a cell that cannot be read, none."""
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                yield ast.copy_location(type(node)(**{**vars(node), "names": [alias]}), node)
        else:
            yield node


def unreadable(cells):
    return [cell.strip() for cell in cells if cell.strip() and not read(cell)]


def closure(names, late):
    """The names with all that calling them may read."""
    found, ahead = set(), list(names)
    while ahead:
        if (name := ahead.pop()) not in found:
            found.add(name)
            ahead += late.get(name, ())
    return found


class Statement:
    """A statement at the top of a cell: the names that it reads before it binds them, those it binds, and changes."""

    def __init__(self, node):
        self.node = node
        self.reads, self.binds, self.late = exposed(node)
        if not isinstance(getattr(node, "value", node), (*DEFINITIONS, ast.Lambda)):
            self.reads |= self.late  # a function inside may be called at once
        self.changes = {name for part in ast.walk(node) for name in changed(part)} & (self.reads | self.binds)
        self.surely_binds = set() if hasattr(node, "body") and not isinstance(node, DEFINITIONS) else self.binds
        self.makes_generator = "default_rng" in ast.unparse(node)


def exposed(node):
    """The names a statement reads from outside, those it binds, and those its functions read when they are called."""
    parts = [part for field in ("body", "handlers", "orelse", "finalbody") for part in getattr(node, field, ())]
    if isinstance(node, DEFINITIONS) or not parts:
        return scopes(node)
    heads = [head for field in ("iter", "test", "type") if (head := getattr(node, field, None))]
    heads += [item.context_expr for item in getattr(node, "items", ())]
    targets = [node.target] if hasattr(node, "target") else []
    targets += [item.optional_vars for item in getattr(node, "items", ()) if item.optional_vars]
    reads, binds, late = set(), set(), set()
    for head in heads:
        inner = exposed(ast.Expr(head))
        reads, late = reads | inner[0], late | inner[2]
    before = {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
    before |= {node.name} if isinstance(node, ast.ExceptHandler) and node.name else set()
    for field in ("body", "handlers", "orelse", "finalbody"):
        bound = set(before)
        for part in getattr(node, field, ()):
            inner = exposed(part)
            reads, late, binds = reads | (inner[0] - bound), late | inner[2], binds | inner[1]
            bound |= inner[1]
    return reads, binds | before, late


def scopes(node):
    """The same for a statement without a body, by Python's own table of symbols."""
    reads, binds, late = set(), set(), set()

    def look(table, read, inside):
        for symbol in table.get_symbols():
            if symbol.is_global() or not inside:
                if symbol.is_referenced():
                    read.add(symbol.get_name())
                if symbol.is_assigned() or symbol.is_imported():
                    binds.add(symbol.get_name())
        for child in table.get_children():
            at_once = child.get_type() == "class" or child.get_name() in AT_ONCE
            look(child, read if at_once else late, True)

    look(symtable.symtable(ast.unparse(node), "cell", "exec"), reads, False)
    reads |= {root(part.target) for part in ast.walk(node) if isinstance(part, ast.AugAssign)}  # not so to the table
    own = counters(node)  # since Python 3.12 the table counts them as names of the statement
    return reads - own, binds - own, late


def counters(node):
    """The names that only comprehensions of a statement use, to count with."""
    inner = [part for part in ast.walk(node) if isinstance(part, COMPREHENSIONS)]
    hidden = {id(part) for comprehension in inner for part in ast.walk(comprehension)}
    outside = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and id(part) not in hidden}
    targets = [generator.target for comprehension in inner for generator in comprehension.generators]
    return {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)} - outside


def changed(part):
    """The names whose object a part of a statement changes in place, as far as its form tells.

    ``x[…] = …``, ``x.y = …``, ``x += …``, ``del x[…]``; a method called for its effect, ``x.append(…)``; a function
    of NumPy called for its effect on its first argument, ``np.fill_diagonal(x, …)``.
    """
    if isinstance(part, (ast.Subscript, ast.Attribute)) and isinstance(part.ctx, (ast.Store, ast.Del)):
        yield root(part)
    elif isinstance(part, ast.AugAssign):
        yield root(part.target)
    elif isinstance(part, ast.Expr) and isinstance(part.value, ast.Call) and isinstance(part.value.func, ast.Attribute):
        owner = root(part.value.func)
        yield root(part.value.args[0]) if owner in ("np", "numpy") and part.value.args else owner


def root(node):
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return getattr(node, "id", None)
