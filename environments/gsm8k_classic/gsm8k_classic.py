"""GSM8K in the classic API of verifiers (0.1.14 to 0.3.1): the reference for environments of that time.

    load_environment()                                       the rows in this file, offline
    load_environment(dataset="openai/gsm8k", subset="main")  the real train and test split

Rewards: `correct` (weight 1.0) when the number in <answer> equals the gold; the parser's format
reward (weight 0.2). In this API a reward that raises is scored 0.0 and only logged, so none here
can raise on what a model may write.
"""

import re
from fractions import Fraction

import verifiers as vf
from datasets import Dataset, load_dataset

SYSTEM_PROMPT = (
    "Solve the problem step by step. Then give the final number between tags, as in "
    "<answer>number</answer>."
)
TRAIN = [
    ("Mira packs 6 crates with 24 jars each. 9 jars break. How many whole jars are left?", "6*24=144, 144-9=135.\n#### 135"),
    ("A bus ticket costs $3. A month pass costs $48. Tomas rides twice a day for 20 days. How many dollars does he save with the pass?", "40 rides cost $120, 120-48=72.\n#### 72"),
    ("A tank holds 1,200 litres. It is a quarter full, and a pump adds 75 litres a minute. After how many minutes is it full?", "900 litres are missing, 900/75=12.\n#### 12"),
    ("Petra reads 18 pages on each of 5 days and 30 pages on each of the 2 other days. How many pages does she read in 4 such weeks?", "150 pages a week, 600 in 4.\n#### 600"),
    ("A bakery sells 250 rolls at $0.80 each and 40 loaves at $4.50 each. How many dollars does it take in?", "200+180=380.\n#### 380"),
    ("Ilse is three times as old as Jan. In 6 years they will be 44 years old together. How old is Jan now?", "32 together now, Jan is 8.\n#### 8"),
    ("A cyclist rides 15 miles an hour for 2 hours and 12 miles an hour for 3 hours. How many miles is that?", "30+36=66.\n#### 66"),
    ("A school buys 35 desks for $64 each and gets 10% off the whole price. How many dollars does it pay?", "2240-224=2016.\n#### 2,016"),
]
TEST = [
    ("A recipe for 4 people takes 300 grams of rice. How many kilograms of rice are needed for 50 people?", "75*50=3750 grams.\n#### 3.75"),
    ("Nora had $85. She bought 3 books for $12 each and a pen for $7. How many dollars does she have left?", "85-43=42.\n#### 42"),
    ("A hall has 28 rows of 32 seats. 137 seats stay empty. How many people are in the hall?", "896-137=759.\n#### 759"),
]


def load_environment(dataset: str | None = None, subset: str | None = None, train_split: str = "train", eval_split: str = "test", max_train: int = -1) -> vf.Environment:
    """The environment; `dataset` is a Hugging Face id with the columns question and answer."""
    parser = vf.XMLParser(["answer"], answer_field="answer")

    def correct(parser: vf.XMLParser, completion: vf.Messages, answer: str, **kwargs) -> float:
        """1.0 when the number in the last <answer> equals the gold."""
        given = read_number(last_answer(parser, completion))
        return float(given is not None and given == read_number(answer))

    def answer_format(parser: vf.XMLParser, completion: vf.Messages, **kwargs) -> float:
        """1.0 when the last <answer> holds a number; the parser's own pays 0.2 for a text without tags."""
        return float(read_number(last_answer(parser, completion)) is not None)

    rubric = vf.Rubric(funcs=[correct, answer_format], weights=[1.0, 0.2], parser=parser)
    train, test = rows(dataset, subset, train_split, TRAIN), rows(dataset, subset, eval_split, TEST)
    return vf.SingleTurnEnv(
        dataset=train.select(range(min(max_train, len(train)))) if max_train > 0 else train,
        eval_dataset=test,
        system_prompt=SYSTEM_PROMPT,
        parser=parser,
        rubric=rubric,
    )


def rows(dataset: str | None, subset: str | None, split: str, own: list[tuple[str, str]]) -> Dataset:
    """Questions with the number after #### as the answer."""
    data = load_dataset(dataset, subset, split=split) if dataset else Dataset.from_list([{"question": q, "answer": a} for q, a in own])
    return data.map(lambda row: {"question": row["question"], "answer": row["answer"].rsplit("####", 1)[-1].strip()})


def last_answer(parser: vf.XMLParser, completion: vf.Messages) -> str | None:
    """What stands in the last <answer> of the last reply, outside <think>…</think>."""
    replies = parser.get_assistant_messages(completion)
    text = str(_content(replies[-1]) or "") if replies else ""
    text = text.rsplit("</think>", 1)[-1]
    if "<think>" in text or text.count("<answer>") != text.count("</answer>"):
        return None
    found = re.findall(r"<answer>((?:(?!<answer>).)*?)</answer>", text, re.DOTALL)
    return found[-1].strip() if found else None


def _content(message: object) -> object:
    return message["content"] if isinstance(message, dict) else getattr(message, "content", None)


def read_number(text: str | None) -> Fraction | None:
    """The value of `text` when it is one number and nothing else: `1,250`, `$18`, `**3.50**`, `-4.`."""
    text = re.sub(r"\*\*|\\?\$|[€£]", "", (text or "").replace("\u2212", "-")).strip().removesuffix(".")
    if not re.fullmatch(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,30})?(?:\.\d{1,30})?", text) or not re.search(r"\d", text):
        return None
    return Fraction(text.replace(",", ""))
