"""An environment that does not load says what it needs, as what it is, and the first cause."""

from __future__ import annotations

from pathlib import Path

import pytest

import small_environments
from lab.cli.report import LabError
from lab.environment import CLASSIC, Environment, locate
from lab.environment.locate import Location, interpreter
from lab.environment.needs import lacking_credential, need_of, tools_made
from lab.environment.worker import Worker
from servers.hub import Hub

SAID = {
    "LookupError: \n*****\n  Resource \x1b[93mpunkt_tab\x1b[0m not found.\n  Please use the NLTK "
    "Downloader to obtain the resource:": ("NLTK data punkt_tab", "--pass-env NLTK_DATA"),
    "OSError: [E050] Can't find model 'en_core_web_sm'. It doesn't seem to be a Python package": (
        "spaCy model en_core_web_sm",
        "dependencies",
    ),
    "RuntimeError: Dataset scripts are no longer supported, but found gsm8k.py": (
        "the program gsm8k.py",
        "datasets<4",
    ),
    "DatasetNotFoundError: Dataset 'cais/hle' is a gated dataset on the Hub. You must be "
    "authenticated to access it.": ("cais/hle is gated", "--pass-env HF_TOKEN"),
    "MissingKeyError: Missing required environment variable(s): EXA_API_KEY": (
        "credential EXA_API_KEY",
        "--pass-env EXA_API_KEY",
    ),
    "KeyError: 'PINECONE_API_KEY'": ("credential PINECONE_API_KEY", "--pass-env PINECONE_API_KEY"),
    "ImportError: cannot import name 'StatefulToolEnv' from 'verifiers' (/x/__init__.py)": (
        "another release of verifiers: there is no StatefulToolEnv",
        "references/migration.md",
    ),
    "OSError: [Errno 30] Read-only file system: '/checkout/cache.db'": (
        "writes to /checkout/cache.db",
        "TMPDIR",
    ),
    "ConnectionRefusedError: [Errno 111] Connection refused": ("a server", "start the server"),
    "FileNotFoundError: Unable to find 'https://raw.githubusercontent.com/a/b/c.json'": (
        "downloads from raw.githubusercontent.com",
        "allow it the network",
    ),
    "FileNotFoundError: Couldn't find any data file at /tmp/x/truthful_qa. Couldn't find "
    "'truthful_qa' on the Hugging Face Hub either: LocalEntryNotFoundError: ...": (
        "its dataset truthful_qa",
        "the hub can be reached",
    ),
    "ModuleNotFoundError: No module named 'nltk'; it ended as ImportError: textarena requires "
    "nltk and textarena. Install with: uv add 'verifiers[ta]'": (
        "the extra verifiers[ta]",
        "install verifiers[ta]",
    ),
    "TypeError: load_environment() missing 2 required positional arguments: 'model' and 'url'": (
        "",
        '--env-args \'{"model": VALUE, "url": VALUE}\'',
    ),
    "ValidationError: 1 validation error for CreateSandboxRequest\nstart_command\n  Input": (
        "makes a CreateSandboxRequest",
        "requirements",
    ),
    "ValidationError: 1 validation error for SumsConfig\nrows\n  Field required": (
        "",
        '"rows": VALUE',
    ),
    "ConnectionError: HTTPSConnectionPool(host='raw.githubusercontent.com', port=443)": (
        "downloads from raw.githubusercontent.com",
        "needs the network",
    ),
}


def place(folder: Path) -> Location:
    return Location("mine", "mine", folder, folder, CLASSIC)


@pytest.mark.parametrize("error", SAID, ids=lambda text: text.split(":")[0])
def test_what_is_missing_is_named_as_what_it_is(error, tmp_path):
    what, fix = SAID[error]
    need = need_of(error, place(tmp_path))
    assert what in need.what and fix in need.fix, need


@pytest.mark.parametrize(
    "error",
    [
        "NameError: name 'PAD_TOKEN' is not defined",
        "ValueError: unexpected END_TOKEN at line 4",
        "OSError: HF_TOKEN is not set",
    ],
)
def test_a_constant_of_a_program_and_the_hubs_own_token_get_no_stand_in(error):
    assert lacking_credential(error, {}) == ""


def test_a_module_of_an_own_extra_names_the_extra(tmp_path):
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "mine"\n[project.optional-dependencies]\nplots = ["mat-plots>=2"]\n'
    )
    need = need_of("ModuleNotFoundError: No module named 'mat_plots.axes'", place(tmp_path))
    assert "extra 'plots'" in need.what and "mine[plots]" in need.fix
    need = need_of("ModuleNotFoundError: No module named 'other'", place(tmp_path))
    assert need.what == "the Python module other is not installed"


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    small_environments.write(folder)
    return folder


@pytest.fixture(scope="module")
def worker():
    with Hub(small_environments.repositories()) as hub:
        try:
            python = interpreter(CLASSIC)
        except LabError as error:
            pytest.skip(f"{error.message}: {error.fix}")
        with Worker(CLASSIC, python=python, extra=hub.env) as shared:
            yield shared


def opened(written: Path, name: str, worker: Worker) -> Environment:
    return Environment(locate(str(written / name)), worker=worker, examples=2)


@pytest.mark.long
def test_a_flat_module_with_relative_imports_is_loaded_as_part_of_its_folder(written, worker):
    with opened(written, "relative", worker) as env:
        assert env.score(0, "#### 22").reward == 1.0
        assert env.description.helped and "imports relatively" in env.description.helped[0]


def test_an_environment_that_unpacks_beside_its_code_is_loaded_from_a_copy(written, worker):
    folder = written / "unpacking"
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[project]\nname = "unpacking"\n')
    text = (written / "relative" / "frame.py").read_text()
    unpack = "from pathlib import Path\n\n(Path(__file__).parent / 'rows.txt').write_text('x')\n"
    (folder / "unpacking.py").write_text(unpack + text)
    folder.chmod(0o555)
    alone = Worker(CLASSIC, python=worker.python, show=[folder], import_paths=[folder])
    with alone, opened(written, "unpacking", alone) as env:
        assert env.score(0, "#### 22").reward == 1.0
        assert env.description.helped and "writes beside its code" in env.description.helped[0]
    assert not (folder / "rows.txt").exists()


def test_rows_of_a_named_revision_are_read(written, worker):
    with opened(written, "revision", worker) as env:
        assert env.description.total == 10 and env.description.helped == []


@pytest.mark.parametrize(
    "name, message, fix",
    [
        ("broken_module.py", "missing 1 required positional argument: 'rows'", "--env-args"),
        ("broken_revision", "the dataset nobody/nothing is not on the hub", "another dataset"),
        ("broken_asking", "lab_test_units_that_is_nowhere is not installed", "install"),
    ],
)
def test_what_does_not_load_says_the_first_cause(written, worker, name, message, fix):
    with pytest.raises(LabError) as error, opened(written, name, worker):
        pass
    assert message in error.value.message and fix in error.value.fix
    if name == "broken_revision":
        assert "DatasetNotFoundError" in error.value.message, "what began it"
        assert "it ended as FileNotFoundError" in error.value.message, "and as what it ended"


def test_a_key_that_is_only_asked_for_gets_a_stand_in_and_is_named(written):
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("SEARCH_API_KEY", raising=False)
        try:
            env = Environment(locate(str(written / "keyed")), examples=2)
        except LabError as error:
            pytest.skip(error.message)
        with env:
            assert env.score(0, "#### 22").reward == 1.0
            assert env.description.helped == ["SEARCH_API_KEY is not here: loaded with a stand-in"]


def test_a_key_that_is_used_is_asked_for(written):
    with (
        pytest.raises(LabError) as error,
        Environment(locate(str(written / "broken_keyed")), examples=2),
    ):
        pass
    if error.value.id == "environment.classic_python":
        pytest.skip(error.value.message)
    assert "it needs the credential SEARCH_API_KEY" in error.value.message
    assert "--pass-env SEARCH_API_KEY" in error.value.fix


def test_an_import_path_of_the_users_brings_what_is_beside_the_package(written):
    place = locate(str(written / "broken_relative"))
    folder = written / "broken_relative" / "broken_relative"
    with pytest.raises(LabError) as error, Environment(place, examples=2):
        pass
    if error.value.id == "environment.classic_python":
        pytest.skip(error.value.message)
    assert "its own file frame.py as if it were installed" in error.value.message
    assert f"--import-path {folder}" in error.value.fix
    with Environment(place, examples=2, import_paths=[folder]) as env:
        assert env.score(0, "#### 22").reward == 1.0


WITH_TOOLS = """
import verifiers.v1 as vf

class Store(vf.Toolset[vf.ToolsetConfig]):
    @vf.tool
    async def find(self, words: str) -> str:
        \"\"\"What the store has.\"\"\"
        return "nothing"

class StoreTaskConfig(vf.TaskConfig):
    tools: vf.ToolsetConfig = vf.ToolsetConfig()

class StoreTask(vf.Task[vf.TaskData, vf.State, StoreTaskConfig]):
    @classmethod
    def toolsets(cls, config):
        return [Store(config.tools)]

    @vf.reward
    async def right(self, trace: vf.Trace) -> float:
        return float(trace.last_reply == "yes")

class StoreConfig(vf.TasksetConfig):
    @DECLARED@

class StoreTaskset(vf.Taskset[StoreTask, StoreConfig]):
    def load(self):
        return [StoreTask(vf.TaskData(prompt=f"Is {n} there?"), self.config.task) for n in "ab"]

__all__ = ["StoreTaskset"]
"""


@pytest.mark.parametrize(
    ("declared", "status"),
    [("pass", "fail"), ("task: StoreTaskConfig = StoreTaskConfig()", "pass")],
)
def test_tools_that_read_what_the_config_has_not_stop_every_rollout(
    tmp_path, bench, declared, status
):
    path = tmp_path / f"store_{status}.py"
    path.write_text(WITH_TOOLS.replace("@DECLARED@", declared))
    with bench.open(path) as env:
        found = tools_made(env.description.unmade)
        assert found.status == status
        assert (env.description.tools == []) == (status == "fail")
        assert status == "pass" or "has no attribute 'tools'" in found.evidence


@pytest.mark.parametrize(
    "error",
    [
        "KeyError: 'SHOP_URL'",
        "ConnectionError: refused",
        "AttributeError: 'NoneType' object has no attribute 'rstrip'",
    ],
)
def test_tools_that_need_what_is_not_here_say_nothing_about_the_environment(error):
    assert tools_made(error).status == "skip"
