"""Sphinx configuration: `python -m sphinx -b html docs docs/_build/html`."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE)]  # the packages of this checkout, and `site_pages`

from site_pages import api, examples, gallery, papers, roles  # noqa: E402 (the path comes first)

from verify.catalogue.version import __version__  # noqa: E402

project = "fedassay"
author = "The fedassay developers"
copyright = "The fedassay developers"
version = release = __version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_gallery.gen_gallery",
    "site_pages.mathematics",
    "site_pages.docstrings",
]
html_theme = "alabaster"
html_theme_options = {
    "description": "Puts the theorems of collaborative and personalised federated learning to "
    "the test",
    "fixed_sidebar": True,
    "page_width": "1100px",
}
html_static_path = ["static"]
html_css_files = ["site.css"]
html_math_renderer = "mathml"
html_copy_source = False
default_role = "literal"
rst_prolog = "\n".join(f".. role:: {word}" for word in roles.ROLES.values()) + "\n"
# two modules may have a class of one name, of which a type in a docstring then means either; the
# settings of the gallery hold functions, which no cache can keep
suppress_warnings = ["ref.python", "config.cache"]
exclude_patterns = ["_build", "_generated/scripts/*.rst", "static"]

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # signatures carry them; shapes and units stand in the text
autodoc_default_options = {"members": True, "show-inheritance": True}
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_custom_sections = [
    "Source",
    ("Data", "params_style"),
    ("Hyper-parameters", "params_style"),
    ("Hyper-parameter", "params_style"),
    ("Fields", "params_style"),
]

GENERATED = HERE / "_generated"
papers.write(GENERATED / "papers", HERE.parent / "tests" / "expected" / "quick.json")
api.write(GENERATED / "api")
examples.write(GENERATED / "examples.rst", HERE.parent / "examples")
gallery.write(GENERATED / "scripts")

sphinx_gallery_conf = {
    "examples_dirs": [str(GENERATED / "scripts")],
    "gallery_dirs": ["_generated/gallery"],
    "filename_pattern": r"/figure_",
    "image_scrapers": (gallery.scraper,),
    "reset_modules": (),
    "within_subsection_order": "site_pages.gallery.ReportOrder",
    "show_memory": False,
    "show_signature": False,
    "download_all_examples": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "plot_gallery": True,
    "remove_config_comments": True,
}
