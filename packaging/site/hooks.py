# SPDX-License-Identifier: GPL-2.0
"""What mkdocs does not do by itself: the order of the pages, and links as in the tree."""

import os
import re
from pathlib import Path

FIRST = ["README", "docs/quickstart", "docs/rack", "docs/fabric", "docs/security", "docs/troubleshooting"]
LINK = re.compile(r"(?<!!)\[([^][]*)\]\(([^):#]+)(#[^)]*)?\)")


def on_config(config):
    """Lists all pages, and names headings as tests/docs/check-references does."""
    root = Path(config.docs_dir)
    left = sorted(str(page.relative_to(root)) for page in root.rglob("*.md"))
    left.sort(key=lambda page: not page.endswith("README.md"))

    def take(pattern):
        found = [page for page in left if re.fullmatch(pattern, page)]
        left[:] = [page for page in left if page not in found]
        return found

    config.nav = [page for name in FIRST for page in take(name + ".md")] + take("docs/[^/]+") + [
        {"Manual pages": take("docs/man/.+")},
        {"Design": take("docs/design/[^/]+")},
        {"Decisions": take("docs/design/decisions/.+")},
        {"Changing farmem": left},
    ]
    config.mdx_configs["toc"] = {
        "slugify": lambda text, _: re.sub(r"[^a-z0-9_ -]", "", text.lower()).replace(" ", "-")
    }
    return config


def on_page_markdown(markdown, page, config, files):
    """Leads links to manual pages there; names what is in the tree alone, without a link."""

    def link(match):
        text, target, heading = match.groups()
        path = os.path.normpath(os.path.join(os.path.dirname(page.file.src_uri), target))
        if files.get_file_from_path(path):
            return match[0]
        if files.get_file_from_path(path + ".md"):
            return f"[{text}]({target}.md)"
        return text if os.path.exists(path) else match[0]

    return LINK.sub(link, markdown)


def on_page_content(html, **_):
    """The theme knows tables by this class; a bar in a cell's code is one without its escape."""
    html = re.sub(r"<td[^>]*>.*", lambda cell: cell[0].replace(r"\|", "|"), html)
    return html.replace("<table>", '<table class="docutils">')


def on_post_page(output, **_):
    """Debian's theme asks for scripts by names that it does not give them."""
    output = re.sub(r"<script[^>]*js/theme_extra\.js.*</script>", "", output)
    return output.replace("jquery-3.6.0", "jquery-2.1.1")


def on_post_template(output_content, **_):
    return on_post_page(output_content)
