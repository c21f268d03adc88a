"""The package gate: is this folder ready to be published, and does it work where it lands?

`contents` reads the folder, `clean` builds and installs it alone, `probe` runs there, `bump`
writes a new version number.
"""

from lab.package.clean import check_clean, find_uv
from lab.package.contents import Folder, check_folder, open_folder

__all__ = ["Folder", "check_clean", "check_folder", "find_uv", "open_folder"]
