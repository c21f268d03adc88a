"""The simulated policy does what its specification says, over a real socket."""

from __future__ import annotations

import json
import random
import statistics
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.cli.report import LabError
from lab.evaluation.policy_server import PolicyServer
from lab.evaluation.simulated_policy import Answers, SimulatedPolicy, Spec

NUMBERS = Answers(
    "7",
    lambda draw: str(draw.randint(100, 999)),
    lambda answer: f"so {answer}",
    lambda answer: f"#### {answer}",
)


def ask(url: str, prompt: str, stream: bool = False) -> tuple[int, str]:
    body = json.dumps(
        {"model": "m", "messages": [{"role": "user", "content": prompt}], "stream": stream}
    ).encode()
    request = urllib.request.Request(
        f"{url}/chat/completions", body, {"content-type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@given(
    skill=st.floats(0, 1),
    spread=st.floats(0, 1),
    seed=st.integers(0, 9),
    count=st.integers(40, 120),
)
def test_the_mean_probability_stays_at_the_skill_whatever_the_spread(skill, spread, seed, count):
    draws = Spec(skill=skill, spread=spread, seed=seed).probabilities(count)
    assert len(draws) == count
    assert all(0 <= p <= 1 for p in draws)
    assert statistics.mean(draws) == pytest.approx(skill, abs=0.03)


@given(skill=st.floats(0.1, 0.9), spread=st.floats(0.05, 0.9))
def test_spread_is_the_share_of_the_variance_between_tasks(skill, spread):
    draws = Spec(skill=skill, spread=spread).probabilities(2000)
    assert statistics.pvariance(draws) / (skill * (1 - skill)) == pytest.approx(spread, abs=0.03)


def test_spread_one_makes_each_task_always_or_never_solved():
    draws = Spec(skill=0.4, spread=1).probabilities(50)
    assert sorted(set(draws)) == [0.0, 1.0]
    assert sum(draws) == 20


def test_the_rollouts_of_a_task_do_not_depend_on_the_order_of_requests():
    tasks = [(f"task {i}", NUMBERS) for i in range(5)]
    orders = []
    for seed in (1, 2):
        policy = SimulatedPolicy(Spec(skill=0.5, spread=0.2), tasks)
        asked = [f"task {i}" for i in range(5) for _ in range(6)]
        random.Random(seed).shuffle(asked)
        replies: dict[str, list[str]] = {}
        for prompt in asked:
            replies.setdefault(prompt, []).append(
                policy.reply([{"role": "user", "content": prompt}])[0]
            )
        orders.append({prompt: sorted(texts) for prompt, texts in replies.items()})
    assert orders[0] == orders[1]


def test_the_server_answers_plain_and_streamed_and_fails_as_often_as_asked():
    policy = SimulatedPolicy(
        Spec(skill=1.0, format=1.0, error=0.5, seed=3), [("how many?", NUMBERS)]
    )
    with PolicyServer(policy) as server:
        replies = [ask(server.url, "how many?", stream=bool(i % 2)) for i in range(60)]
    refused = [status for status, _ in replies if status == 500]
    assert 15 <= len(refused) <= 45
    assert all("#### 7" in text for status, text in replies if status == 200)


def test_a_burst_of_connections_is_served_completely():
    policy = SimulatedPolicy(Spec(skill=1.0, format=1.0), [("q", NUMBERS)])
    with PolicyServer(policy) as server, ThreadPoolExecutor(96) as pool:
        replies = list(pool.map(lambda _: ask(server.url, "q")[0], range(192)))
    assert set(replies) == {200}


def test_shares_of_empty_and_truncated_replies():
    policy = SimulatedPolicy(Spec(skill=1.0, empty=0.3, truncated=0.3), [("q", NUMBERS)])
    replies = [policy.reply([{"role": "user", "content": "q"}]) for _ in range(400)]
    assert sum(text == "" for text, _ in replies) / 400 == pytest.approx(0.3, abs=0.07)
    cut = [text for text, finish in replies if finish == "length"]
    assert len(cut) / 400 == pytest.approx(0.3, abs=0.07)
    assert not any("#### 7" in text for text in cut)


def test_format_failures_carry_the_answer_without_the_form():
    policy = SimulatedPolicy(Spec(skill=1.0, format=0.5), [("q", NUMBERS)])
    texts = [policy.reply([{"role": "user", "content": "q"}])[0] for _ in range(200)]
    bare = [text for text in texts if "####" not in text]
    assert 60 <= len(bare) <= 140
    assert all("so 7" in text for text in bare)


@pytest.mark.parametrize(
    "text", ["skill=2", "skill=x", "talent=0.5", "skill", "skill=-1", "seed=0.5"]
)
def test_a_specification_that_cannot_be_meant_is_refused_with_the_legal_names(text):
    with pytest.raises(LabError) as refused:
        Spec.parse(text)
    assert refused.value.code == 2
    assert "spread" in refused.value.fix


def test_a_port_in_use_is_a_usage_error():
    policy = SimulatedPolicy(Spec(), [("q", NUMBERS)])
    with PolicyServer(policy) as server, pytest.raises(LabError) as refused:
        PolicyServer(policy, port=int(server.url.split(":")[2].split("/")[0]))
    assert refused.value.code == 2
