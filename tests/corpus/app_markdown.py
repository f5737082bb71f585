import re
def inline(text):
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
    return re.sub(r"`(.+?)`", lambda m: f"<code>{m[1].replace('<', '&lt;')}</code>", text)
def convert(source):
    out, paragraph, in_list = [], [], False
    def flush():
        nonlocal paragraph
        if paragraph:
            out.append(f"<p>{' '.join(paragraph)}</p>")
            paragraph = []
    for line in source.splitlines():
        if in_list and not line.startswith("- "):
            out.append("</ul>"); in_list = False
        if not line.strip(): flush()
        elif m := re.match(r"(#+) (.*)", line):
            flush(); out.append(f"<h{len(m[1])}>{inline(m[2])}</h{len(m[1])}>")
        elif line.startswith("- "):
            flush()
            if not in_list: out.append("<ul>"); in_list = True
            out.append(f"<li>{inline(line[2:])}</li>")
        else: paragraph.append(inline(line))
    flush()
    if in_list: out.append("</ul>")
    return "\n".join(out)
print(convert("# Title\n\nSome **bold** text\nand `a < b`.\n\n- one\n- **two**\nend\n## Sub\n- last"))
