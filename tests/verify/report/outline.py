"""What a page is made of, read by the parser of the standard library; bad HTML is refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from verify.report.markup import VOID


@dataclass
class Node:
    """Element with its attributes, children and text."""

    tag: str
    attributes: dict[str, str]
    children: list[Node] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text below."""
        return "".join(self.pieces)

    def all(self, tag: str = "", **wanted: str) -> list[Node]:
        """Elements below with this tag and these attributes; ``class_`` asks for one class."""
        found = []
        for child in self.children:
            if (not tag or child.tag == tag) and all(
                value in child.attributes.get("class", "").split()
                if name == "class_"
                else child.attributes.get(name.replace("_", "-")) == value
                for name, value in wanted.items()
            ):
                found.append(child)
            found += child.all(tag, **wanted)
        return found

    def one(self, tag: str = "", **wanted: str) -> Node:
        """The only such element."""
        (found,) = self.all(tag, **wanted)
        return found


class Outline(HTMLParser):
    """Tree of a page; raises AssertionError where a tag is not balanced or not quoted rightly."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("", {})
        self._open = [self.root]
        self.feed(page)
        self.close()
        assert [node.tag for node in self._open] == [""], "elements stay open at the end"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute of {tag} stands twice: {names}"
        node = Node(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(node)
        if tag not in VOID:
            self._open.append(node)

    def handle_endtag(self, tag: str) -> None:
        last = self._open.pop()
        assert last.tag == tag, f"{last.tag} is closed by {tag}, line {self.getpos()}"

    def handle_data(self, data: str) -> None:
        for node in self._open:
            node.pieces.append(data)


def flaws(root: Node) -> list[str]:
    """What a page must not have: doubled ids, dead links, addresses, handlers, odd nesting."""
    nodes = root.all()
    ids = [n.attributes["id"] for n in nodes if "id" in n.attributes]
    found = [
        f"id {name} stands {ids.count(name)} times" for name in set(ids) if ids.count(name) > 1
    ]
    for node in nodes:
        found += [
            f"{node.tag} has {name}"
            for name in node.attributes
            if name.startswith("on") or name == "style"
        ]
        found += [
            f"{node.tag} asks for {node.attributes[name]}"
            for name in ("src", "srcset", "action", "data", "poster", "xlink:href")
            if name in node.attributes and not node.attributes[name].startswith("data:")
        ]
        link = node.attributes.get("href", "data:")
        if link.startswith("#"):
            if link[1:] not in ids:
                found.append(f"{link} leads nowhere")
        elif not link.startswith("data:"):
            found.append(f"{node.tag} links to {link}")
        label = node.attributes.get("aria-labelledby")
        if label is not None and label not in ids:
            found.append(f"no label {label}")
        if node.tag in ("p", "h4", "span", "summary"):
            blocks = {child.tag for child in node.all()} & {
                "div",
                "p",
                "table",
                "dl",
                "ul",
                "details",
            }
            found += [f"{node.tag} holds {tag}" for tag in blocks]
    return found
