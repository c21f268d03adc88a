"""One app as an MCP server on stdio: python -m toolbelt_agent.apps APP --root FOLDER"""

import argparse
from pathlib import Path

from ..workspace import ROOT
from . import APPS, server

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("app", choices=APPS)
parser.add_argument("--root", type=Path, required=True)
args = parser.parse_args()
ROOT.set(args.root.resolve())
server(args.app).run("stdio")
