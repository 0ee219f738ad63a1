"""svg.py - the few shapes of SVG that the plot needs.

ElementTree escapes what the texts contain, so the file is always well-formed.
"""

import xml.etree.ElementTree as ElementTree

FONT = 11            # pixels
CHARACTER = 0.6      # of the font's size: how wide a character is on average, rather too wide

STYLE = f"""
text {{ font: {FONT}px "DejaVu Sans", Verdana, Helvetica, sans-serif; fill: #222; }}
.title {{ font-size: 17px; font-weight: bold; }}
.work {{ font-weight: bold; }}
.muted {{ fill: #667; }}
.ratio {{ font-weight: bold; }}
"""


def width_of(text):
    return len(text) * FONT * CHARACTER


class Drawing:
    def __init__(self, width, height):
        self.width = width
        self.root = ElementTree.Element("svg", {
            "xmlns": "http://www.w3.org/2000/svg", "width": str(width), "height": str(height),
            "viewBox": f"0 0 {width} {height}"})
        ElementTree.SubElement(self.root, "style").text = STYLE
        self.box(0, 0, width, height, "#fff")

    def add(self, tag, **attributes):
        plain = {name.replace("_", "-"): f"{value:.1f}" if isinstance(value, float) else str(value)
                 for name, value in attributes.items() if value is not None}
        return ElementTree.SubElement(self.root, tag, plain)

    def box(self, x, y, width, height, fill, hint=None):
        element = self.add("rect", x=x, y=y, width=width, height=height, fill=fill)
        if hint:
            ElementTree.SubElement(element, "title").text = hint

    def line(self, x1, y1, x2, y2, stroke, width=1, dash=None):
        self.add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, stroke_width=width,
                 stroke_dasharray=dash)

    def polygon(self, points, fill, stroke):
        self.add("polygon", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), fill=fill,
                 stroke=stroke, stroke_width=1.3)

    def text(self, x, y, text, kind=None, anchor=None):
        self.add("text", **{"x": x, "y": y, "class": kind, "text-anchor": anchor}).text = text

    def write(self, path):
        ElementTree.indent(self.root, " ")
        ElementTree.ElementTree(self.root).write(path, encoding="utf-8", xml_declaration=True)
