"""A service on loopback that the real `prime` 0.18 takes for the platform.

    with PrimeApi() as api:
        subprocess.run(["prime", "whoami"], env={**os.environ, **api.environ(home)})
        api.requests          # what was sent, in order
        api.complaints        # what a strict service would have objected to: [] in a good test

It objects: bearer tokens, sha256 of uploads, the content hash recomputed from the archive, a
version that exists, required and unknown keys of request bodies, and the shape of a training
file are checked, and a request that fails a check gets 401, 409 or 422 and is remembered.

Faults are given to single routes, for the first `times` requests that match:

    api.fault("POST", "/training/runs", status=503)
    api.fault("POST", "/training/runs", lose="after")     # acts, then hangs up without an answer
    api.fault("PUT", "/upload/*", lose="middle")          # hangs up after half of the body
    api.fault("GET", "/rft/runs", slow=30)
"""

from __future__ import annotations

import contextlib
import fnmatch
import hashlib
import io
import json
import re
import socket
import tarfile
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

KEY = "loopback-key"
OWNER = "someone"


@dataclass
class Fault:
    """What goes wrong with the next `times` requests to a route."""

    method: str
    path: str
    status: int = 0
    detail: Any = "injected"
    slow: float = 0.0
    lose: str = ""
    times: int = 10**9

    def matches(self, method: str, path: str) -> bool:
        return self.times > 0 and method == self.method and fnmatch.fnmatch(path, self.path)


@dataclass
class Request:
    method: str
    path: str
    query: dict[str, str]
    body: Any
    status: int = 0


class Refused(Exception):
    """An answer other than 200."""

    def __init__(self, status: int, detail: Any):
        super().__init__(f"{status}: {detail}")
        self.status, self.detail = status, detail


@dataclass
class Version:
    number: str | None
    content_hash: str
    runtime: str | None
    wheel: bytes
    archive: bytes
    metadata: dict[str, Any]


@dataclass
class Environment:
    id: str
    owner: str
    name: str
    visibility: str
    versions: list[Version] = field(default_factory=list)
    wheel: tuple[dict[str, Any], bytes] | None = None


@dataclass
class Upload:
    """A promised upload: what was announced, and the bytes once they came."""

    environment: Environment
    kind: str
    announced: dict[str, Any]
    data: bytes | None = None


class PrimeApi:
    """The service; state is public, so that a test can prepare and inspect it."""

    def __init__(self, *, key: str = KEY, prepare: int = 404, models: tuple[str, ...] = ("Qwen/Qwen3-4B-Instruct-2507", "Qwen/Qwen3-0.6B"), price: float | None = 2.5):
        self.key, self.prepare, self.models, self.price = key, prepare, models, price
        self.environments: dict[str, Environment] = {}
        self.uploads: dict[str, Upload] = {}
        self.runs: dict[str, dict[str, Any]] = {}
        self.metrics: dict[str, list[dict[str, Any]]] = {}
        self.samples: dict[str, list[dict[str, Any]]] = {}
        self.evaluations: dict[str, dict[str, Any]] = {}
        self.requests: list[Request] = []
        self.complaints: list[str] = []
        self.faults: list[Fault] = []
        self.username: str | None = OWNER
        self._count = 0
        self._lock = threading.RLock()
        self._closing = threading.Event()

    # -- life ---------------------------------------------------------------------------------

    def __enter__(self) -> PrimeApi:
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one_request(self) -> None:
                with contextlib.suppress(ConnectionError):
                    super().handle_one_request()

            def _any(self) -> None:
                api._serve(self)

            do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = _any

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def environ(self, home: Path, **more: str) -> dict[str, str]:
        """Variables that send every client here, with a home folder of its own."""
        home.mkdir(parents=True, exist_ok=True)
        return {
            "HOME": str(home),
            "PRIME_API_KEY": self.key,
            "PRIME_API_BASE_URL": self.url,
            "PRIME_INFERENCE_URL": f"{self.url}/inference/v1",
            "PRIME_FRONTEND_URL": f"{self.url}/site",
            "PRIME_TRACES_URL": self.url,
            "PRIME_DISABLE_VERSION_CHECK": "1",
            "PRIME_CONTEXT": "",
            "PRIME_TEAM_ID": "",
            **more,
        }

    def fault(self, method: str, path: str, **what: Any) -> Fault:
        """Paths are written without /api/v1; `*` stands for anything."""
        made = Fault(method, path, **what)
        self.faults.append(made)
        return made

    def sent(self, method: str, path: str) -> list[Request]:
        """The requests to a route (`*` allowed), faulty ones included."""
        return [request for request in self.requests if request.method == method and fnmatch.fnmatch(request.path, path)]

    def publish(self, slug: str, content_hash: str = "0" * 64, number: str = "0.1.0") -> Environment:
        """An environment as if it had been pushed."""
        owner, name = slug.split("/")
        environment = Environment(self._id("env"), owner, name, "PRIVATE", [Version(number, content_hash, "VERIFIERS_V1", b"", b"", {})])
        self.environments[slug] = environment
        return environment

    # -- serving ------------------------------------------------------------------------------

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        split = urlsplit(handler.path)
        path = unquote(split.path).removeprefix("/api/v1")
        with self._lock:
            fault = next((fault for fault in self.faults if fault.matches(handler.command, path)), None)
            if fault:
                fault.times -= 1
        length = int(handler.headers.get("Content-Length") or 0)
        if fault and fault.lose == "middle":
            handler.rfile.read(length // 2)
            self._remember(Request(handler.command, path, {}, None, -1))
            return self._hang_up(handler)
        raw = handler.rfile.read(length)
        request = Request(handler.command, path, dict(parse_qsl(split.query)), _parsed(raw, handler))
        if fault and fault.slow:
            self._closing.wait(fault.slow)
        try:
            if fault and fault.lose == "before":
                self._remember(request, -1)
                return self._hang_up(handler)
            if fault and fault.status:
                raise Refused(fault.status, fault.detail)
            with self._lock:
                answer = self._answer(request, raw, handler.headers.get("Authorization", ""))
            status = 200
        except Refused as refused:
            status, answer = refused.status, {"detail": refused.detail}
        self._remember(request, status)
        if fault and fault.lose == "after":
            return self._hang_up(handler)
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        with contextlib.suppress(ConnectionError):
            handler.send_response(status)
            handler.send_header("Content-Type", "application/octet-stream" if isinstance(answer, bytes) else "application/json")
            handler.send_header("Content-Length", str(len(data)))
            handler.end_headers()
            if handler.command != "HEAD":
                handler.wfile.write(data)
        return None

    def _remember(self, request: Request, status: int = 0) -> None:
        with self._lock:
            request.status = status or request.status
            self.requests.append(request)

    @staticmethod
    def _hang_up(handler: BaseHTTPRequestHandler) -> None:
        handler.close_connection = True
        with contextlib.suppress(OSError):
            handler.connection.shutdown(socket.SHUT_RDWR)

    def _answer(self, request: Request, raw: bytes, bearer: str) -> Any:
        for method, template, open_to_all, name in ROUTES:
            found = re.fullmatch(re.sub(r"\{\w+\}", "([^/]+)", template), request.path)
            if not found or method != ("GET" if request.method == "HEAD" else request.method):
                continue
            if not open_to_all and bearer != f"Bearer {self.key}":
                raise Refused(401, "Invalid API key")
            return getattr(self, name)(request, raw, *found.groups())
        raise Refused(404, f"Not Found: {request.method} {request.path}")

    def _id(self, kind: str) -> str:
        self._count += 1
        return f"{kind}{self._count:06d}"

    def _object(self, complaint: str, status: int = 422) -> Refused:
        self.complaints.append(complaint)
        return Refused(status, [{"loc": ["body"], "msg": complaint}] if status == 422 else complaint)

    def _body(self, request: Request, required: str, optional: str = "") -> dict[str, Any]:
        body = request.body
        if not isinstance(body, dict):
            raise self._object(f"{request.path}: the body is no JSON object")
        lacking = [key for key in required.split() if body.get(key) in (None, "")]
        unknown = sorted(set(body) - set(required.split()) - set(optional.split()))
        if lacking or unknown:
            raise self._object(f"{request.path}: lacking {lacking}, unknown {unknown}")
        return body

    # -- account ------------------------------------------------------------------------------

    def whoami(self, request: Request, raw: bytes) -> Any:
        return {"data": {"id": "user1", "email": "someone@example.invalid", "name": "Some One", "slug": self.username, "scope": {}}}

    # -- hub ----------------------------------------------------------------------------------

    def resolve(self, request: Request, raw: bytes) -> Any:
        body = self._body(request, "name", "visibility owner_slug team_slug team_id")
        if not self.username:
            raise Refused(400, "Your profile is missing a username")
        owner = body.get("owner_slug") or body.get("team_slug") or self.username
        slug = f"{owner}/{body['name']}"
        created = slug not in self.environments
        if created:
            self.environments[slug] = Environment(self._id("env"), owner, body["name"], body.get("visibility") or "PRIVATE")
        environment = self.environments[slug]
        return {"data": {"id": environment.id, "name": environment.name, "owner": {"name": owner}, "created": created}}

    def _by_id(self, id: str) -> Environment:
        found = next((environment for environment in self.environments.values() if environment.id == id), None)
        if found is None:
            raise self._object(f"an upload for the unknown environment {id}", 404)
        return found

    def _announce(self, request: Request, id: str, kind: str) -> Any:
        body = self._body(request, "content_hash filename sha256 metadata", "semantic_version size runtime_hint")
        environment = self._by_id(id)
        if any(version.content_hash == body["content_hash"] for version in environment.versions):
            raise Refused(409, f"A version with content hash {body['content_hash']} already exists")
        upload = self._id(kind)
        self.uploads[upload] = Upload(environment, kind, body)
        return {"data": {f"{kind}_id": upload, "upload_url": f"{self.url}/upload/{upload}"}}

    def announce_wheel(self, request: Request, raw: bytes, id: str) -> Any:
        return self._announce(request, id, "wheel")

    def announce_version(self, request: Request, raw: bytes, id: str) -> Any:
        return self._announce(request, id, "version")

    def upload(self, request: Request, raw: bytes, id: str) -> Any:
        if id not in self.uploads:
            raise self._object("an upload that was not announced", 403)
        self.uploads[id].data = raw
        return {}

    def finalize(self, request: Request, raw: bytes, id: str, kind: str, upload_id: str) -> Any:
        upload = self.uploads.get(upload_id)
        if upload is None or upload.data is None:
            raise self._object("finalized without an upload", 400)
        announced = upload.announced
        if hashlib.sha256(upload.data).hexdigest() != announced["sha256"]:
            raise self._object("the sha256 of the upload differs", 400)
        environment = upload.environment
        if upload.kind == "wheel":
            environment.wheel = (announced, upload.data)
            return {"data": {"success": True}}
        if environment.wheel is None or environment.wheel[0]["content_hash"] != announced["content_hash"]:
            raise self._object("a version without its wheel", 400)
        if _hash_of_archive(upload.data) != announced["content_hash"]:
            raise self._object("the content hash is not that of the archive", 400)
        environment.versions.append(
            Version(announced.get("semantic_version"), announced["content_hash"], announced.get("runtime_hint"), environment.wheel[1], upload.data, announced["metadata"])
        )
        environment.wheel = None
        return {"data": {"success": True}}

    def _published(self, owner: str, name: str) -> tuple[Environment, Version]:
        environment = self.environments.get(f"{owner}/{name}")
        if environment is None or not environment.versions:
            raise Refused(404, f"Environment {owner}/{name} not found")
        return environment, environment.versions[-1]

    def status(self, request: Request, raw: bytes, owner: str, name: str) -> Any:
        environment, latest = self._published(owner, name)
        return {
            "data": {
                "name": name,
                "description": latest.metadata.get("description"),
                "visibility": environment.visibility,
                "latest_version": {"semantic_version": latest.number, "content_hash": latest.content_hash, "created_at": _now()},
            }
        }

    def versions(self, request: Request, raw: bytes, owner: str, name: str) -> Any:
        environment, _ = self._published(owner, name)
        rows = [{"version": version.number, "created_at": _now(), "sha256": version.content_hash, "size": 1} for version in reversed(environment.versions)]
        return {"data": {"versions": rows}}

    # -- training -----------------------------------------------------------------------------

    def prepare_run(self, request: Request, raw: bytes) -> Any:
        raise Refused(self.prepare, "no validation here")

    def create_run(self, request: Request, raw: bytes) -> Any:
        body = self._body(request, "config", "mode name teamId imageTag gpuType volume sourceRef resumeFrom wandbApiKey hfToken normalizedConfig")
        config = body["config"]
        supervised = body.get("mode") == "sft"
        for fault in [] if supervised else _faults_of(config):
            raise self._object(fault)
        run = self._id("run")
        sources = [{"name": "sft"}] if supervised else config["orchestrator"]["train"]["source"]
        self.runs[run] = {
            "id": run,
            "name": body.get("name"),
            "userId": "user1",
            "teamId": body.get("teamId"),
            "status": "QUEUED",
            "kind": "DEDICATED_FULL_FT",
            "maxSteps": config.get("max_steps"),
            "seqLen": config.get("seq_len"),
            "batchSize": config.get("orchestrator", {}).get("batch_size"),
            "rolloutsPerExample": sources[0].get("group_size"),
            "baseModel": config["model"]["name"],
            "environments": [{"name": source.get("name")} for source in sources],
            "runConfig": config,
            "gpuCount": 2,
            "createdAt": _now(),
            "updatedAt": _now(),
        }
        placed = {} if self.price is None else {"onDemand": True, "gpuType": "H100_80GB", "pricePerGpuHour": self.price, "estimatedCostPerHour": 2 * self.price}
        return {"runId": run, "tokenValue": "never-to-be-printed", **placed}

    def _run(self, id: str) -> dict[str, Any]:
        if id not in self.runs:
            raise Refused(404, f"Run {id} not found")
        return self.runs[id]

    def list_runs(self, request: Request, raw: bytes) -> Any:
        rows = list(reversed(self.runs.values()))
        limit = int(request.query.get("limit", 20))
        return {"runs": rows[:limit], "total": len(rows), "page": 1, "limit": limit, "total_pages": 1}

    def get_run(self, request: Request, raw: bytes, id: str) -> Any:
        return {"run": self._run(id)}

    def get_metrics(self, request: Request, raw: bytes, id: str) -> Any:
        self._run(id)
        low, high = int(request.query.get("min_step", 0)), int(request.query.get("max_step", 10**9))
        return {"metrics": [row for row in self.metrics.get(id, []) if low <= row.get("step", 0) <= high]}

    def get_samples(self, request: Request, raw: bytes, id: str) -> Any:
        self._run(id)
        rows = [row for row in self.samples.get(id, []) if str(row.get("step")) == request.query.get("step", str(row.get("step")))]
        page, limit = int(request.query.get("page", 1)), int(request.query.get("limit", 100))
        return {"run_id": id, "samples": rows[(page - 1) * limit : page * limit], "total": len(rows), "page": page, "limit": limit, "total_pages": -(-len(rows) // limit) or 1}

    def get_progress(self, request: Request, raw: bytes, id: str) -> Any:
        self._run(id)
        steps = [row["step"] for row in self.metrics.get(id, [])]
        sampled = sorted({row["step"] for row in self.samples.get(id, [])})
        return {"latestStep": max(steps, default=0), "stepsWithSamples": sampled, "stepsWithDistributions": sampled, "lastUpdatedAt": _now()}

    def get_distributions(self, request: Request, raw: bytes, id: str) -> Any:
        self._run(id)
        return {"step": int(request.query.get("step", 0)), "bins": [{"min": 0.0, "max": 0.5, "count": 3}, {"min": 0.5, "max": 1.0, "count": 5}]}

    def get_logs(self, request: Request, raw: bytes, id: str) -> Any:
        self._run(id)
        return {"logs": "a line of the log\n"}

    def get_usage(self, request: Request, raw: bytes, id: str) -> Any:
        run = self._run(id)
        part = {"tokens": 1000, "input_tokens": 400, "output_tokens": 600, "cost_usd": 1.25}
        return {"run_id": id, "run_name": run["name"], "base_model": run["baseModel"], "status": run["status"], "training": part, "inference": part, "total_tokens": 2000, "total_cost_usd": 2.5, "pricing": {}, "record_count": 2}

    def get_models(self, request: Request, raw: bytes) -> Any:
        offers = [] if self.price is None else [{"gpuType": "H100_80GB", "pricePerGpuHour": self.price, "discountLabel": None, "availableNow": True, "isBeta": False}]
        clusters = [{"clusterId": "c1", "clusterName": "one", "gpuType": "H100_80GB"}]
        return {"models": [{"name": name, "clusters": clusters} for name in self.models], "onDemand": offers, "onDemandBetaAccess": True}

    # -- inference and evaluations ------------------------------------------------------------

    def inference_models(self, request: Request, raw: bytes) -> Any:
        return {"object": "list", "data": [{"id": name, "object": "model"} for name in self.models]}

    def create_evaluation(self, request: Request, raw: bytes) -> Any:
        id = self._id("eval")
        self.evaluations[id] = {"id": id, "status": "RUNNING", "samples": [], **(request.body or {})}
        return {"evaluation_id": id, "status": "RUNNING"}

    def add_samples(self, request: Request, raw: bytes, id: str) -> Any:
        rows = (request.body or {}).get("samples", [])
        self.evaluations[id]["samples"] += rows
        return {"samples_pushed": len(rows)}

    def finish_evaluation(self, request: Request, raw: bytes, id: str) -> Any:
        self.evaluations[id]["status"] = "COMPLETED"
        return {"evaluation_id": id, "status": "COMPLETED"}


ROUTES: list[tuple[str, str, bool, str]] = [
    ("GET", "/user/whoami", False, "whoami"),
    ("POST", "/environmentshub/resolve", False, "resolve"),
    ("POST", "/environmentshub/{id}/wheels", False, "announce_wheel"),
    ("POST", "/environmentshub/{id}/versions", False, "announce_version"),
    ("PUT", "/upload/{id}", True, "upload"),
    ("POST", "/environmentshub/{id}/{kind}/{upload}/finalize", False, "finalize"),
    ("GET", "/environmentshub/{owner}/{name}/status", True, "status"),
    ("GET", "/environmentshub/{owner}/{name}/versions", True, "versions"),
    ("POST", "/training/runs/prepare", False, "prepare_run"),
    ("POST", "/training/runs", False, "create_run"),
    ("GET", "/training/available-fft-models", False, "get_models"),
    ("GET", "/rft/runs", False, "list_runs"),
    ("GET", "/rft/runs/{id}", False, "get_run"),
    ("GET", "/rft/runs/{id}/metrics", False, "get_metrics"),
    ("GET", "/rft/runs/{id}/samples", False, "get_samples"),
    ("GET", "/rft/runs/{id}/progress", False, "get_progress"),
    ("GET", "/rft/runs/{id}/distributions", False, "get_distributions"),
    ("GET", "/rft/runs/{id}/logs", False, "get_logs"),
    ("GET", "/billing/runs/{id}/usage", False, "get_usage"),
    ("GET", "/inference/v1/models", True, "inference_models"),
    ("POST", "/evaluations/", False, "create_evaluation"),
    ("POST", "/evaluations/{id}/samples", False, "add_samples"),
    ("POST", "/evaluations/{id}/finalize", False, "finish_evaluation"),
]
"""(method, path, whether it is open without a key, the method that answers)."""


def _faults_of(config: Any) -> list[str]:
    """What prime-rl would refuse in a training file, and what nobody can have meant."""
    if not isinstance(config, dict) or isinstance(config.get("model"), str) or "env" in config:
        return ["config is the flat form"]
    found = [f"config lacks [{table}]" for table in ("model", "trainer", "orchestrator", "inference") if not isinstance(config.get(table), dict)]
    sources = (config.get("orchestrator") or {}).get("train", {}).get("source")
    if not isinstance(sources, list) or not sources:
        found.append("config has no training source")
        return found
    for source in sources:
        environment = source.get("env") or {}
        if not (environment.get("taskset") or {}).get("id"):
            found.append("a source without a taskset id")
        if not source.get("group_size"):
            found.append("a source without a group size")
    return found


def _hash_of_archive(data: bytes) -> str:
    digest = hashlib.sha256()
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
        members = {member.name: member for member in archive.getmembers() if member.isfile()}
        for name in sorted(members):
            file = archive.extractfile(members[name])
            digest.update(f"file:{name}".encode() + (file.read() if file else b""))
    return digest.hexdigest()


def _parsed(raw: bytes, handler: BaseHTTPRequestHandler) -> Any:
    if "json" not in (handler.headers.get("Content-Type") or ""):
        return f"<{len(raw)} bytes>" if raw else None
    try:
        return json.loads(raw)
    except ValueError:
        return None


def _now() -> str:
    return datetime.now(UTC).isoformat().replace("+00:00", "Z")


def main() -> None:
    """Serve until interrupted: `python tests/servers/prime_api.py` prints the variables to set."""
    import tempfile

    with PrimeApi() as api, tempfile.TemporaryDirectory() as home:
        for key, value in api.environ(Path(home)).items():
            print(f"export {key}={value}", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            while True:
                time.sleep(3600)


if __name__ == "__main__":
    main()
