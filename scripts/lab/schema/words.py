"""What the names of fields usually mean: how strongly a name speaks for a prompt or for a gold.

The numbers order candidates; they are weighed with what the cells hold. No name of a dataset
stands here, only names of columns as people give them.
"""

from __future__ import annotations

import re

PROMPT: dict[str, float] = {
    "question": 1.0, "questions": 0.85, "problem": 0.98, "problems": 0.7, "prompt": 0.98, "problem_statement": 1.0,
    "question_content": 1.0, "question_text": 0.98, "qtext": 0.95, "q_text": 0.95, "problem_text": 0.98, "question_stem": 1.0, "stem": 0.9,
    "instruction": 0.95, "instructions": 0.85, "query": 0.88, "input": 0.82, "inputs": 0.78, "user": 0.7, "human": 0.75,
    "user_prompt": 0.98, "user_input": 0.9, "user_query": 0.95, "user_message": 0.9, "task": 0.5, "quiz": 0.9, "puzzle": 0.92, "riddle": 0.92,
    "text": 0.6, "sentence": 0.66, "sentences": 0.4, "ctx": 0.72, "claim": 0.85, "statement": 0.72, "goal": 0.88, "hypothesis": 0.72,
    "premise": 0.62, "context": 0.4, "passage": 0.42, "article": 0.5, "document": 0.52, "story": 0.48, "narrative": 0.4, "paragraph": 0.4,
    "content": 0.55, "body": 0.5, "description": 0.7, "messages": 0.86, "conversations": 0.86, "conversation": 0.86, "dialogue": 0.6,
    "dialog": 0.6, "chat": 0.7, "turns": 0.7, "history": 0.55, "q": 0.92, "utterance": 0.7, "utt": 0.7, "review": 0.66, "tweet": 0.64, "headline": 0.5,
    "title": 0.3, "question_title": 0.35, "source": 0.12, "src": 0.7, "post": 0.55, "comment": 0.5, "email": 0.5, "sent": 0.5,
    "problem_description": 0.98, "question_concat": 1.0, "full_prompt": 0.95, "instruct_prompt": 1.0, "complete_prompt": 0.9, "code_prompt": 0.6,
    "task_description": 0.9, "request": 0.85, "equation": 0.2, "conclusion": 0.62, "exercise": 0.8, "ask": 0.7, "turn": 0.5,
    "ambiguous_question": 0.95, "sql_prompt": 0.98, "nl": 0.7, "natural_language": 0.7, "startphrase": 0.75, "original_question": 0.6,
    "question_en": 0.9, "english_question": 0.9, "word_problem": 0.95, "search_query": 0.8, "scenario": 0.55, "situation": 0.5, "formal_statement": 0.75, "informal_statement": 0.6, "translation": 0.3, "intent": 0.2, "clue": 0.85, "message": 0.75, "frage": 0.95, "pregunta": 0.95, "domanda": 0.95, "pergunta": 0.95, "aufgabe": 0.9, "вопрос": 0.95, "задача": 0.9, "问题": 0.95, "題目": 0.95, "题目": 0.95, "質問": 0.95, "問題": 0.95, "질문": 0.95, "سؤال": 0.95, "प्रश्न": 0.95, "enunciado": 0.85, "énoncé": 0.85,
    "vraag": 0.95, "opgave": 0.85, "spørsmål": 0.95, "spørgsmål": 0.95, "oppgave": 0.85, "fråga": 0.95, "uppgift": 0.85, "kysymys": 0.95, "pytanie": 0.95, "zadanie": 0.85, "otázka": 0.95, "kérdés": 0.95, "întrebare": 0.95, "soru": 0.95, "pertanyaan": 0.95, "soal": 0.9, "câu_hỏi": 0.95, "problème": 0.9, "problema": 0.9, "питання": 0.95, "задание": 0.85, "문제": 0.9, "ερώτηση": 0.95, "שאלה": 0.95, "سوال": 0.95, "প্রশ্ন": 0.95, "คำถาม": 0.95,
    "original": 0.6, "observation": 0.5, "documents": 0.5, "doc": 0.5, "issue": 0.7, "bug_report": 0.8, "requirement": 0.7, "requirements": 0.6, "assignment": 0.75, "challenge": 0.7, "objective": 0.6, "buggy_code": 0.75, "source_code": 0.6, "input_code": 0.75, "tokens": 0.7, "words": 0.66, "fen": 0.8, "proposition": 0.75, "board": 0.6, "position": 0.4,
}  # fmt: skip

ANSWER: dict[str, float] = {
    "answer": 1.0, "answers": 0.97, "ground_truth": 1.12, "ground_truths": 1.1, "groundtruth": 1.1, "gt": 0.9, "gt_answer": 1.1, "gold": 0.97,
    "gold_answer": 1.08, "gold_answers": 1.06, "golden_answer": 1.08, "golden_answers": 1.04, "target": 0.9, "targets": 0.88, "label": 0.9,
    "labels": 0.78, "output": 0.84, "outputs": 0.84, "response": 0.82, "responses": 0.4, "solution": 0.7, "solutions": 0.45, "final_answer": 1.12,
    "final_ans": 1.1, "expected_answer": 1.12, "correct_answer": 1.06, "correct_answers": 0.95, "answer_key": 0.99, "correct": 0.95, "correct_option": 1.02,
    "correct_choice": 1.0, "correct_index": 0.98, "correct_idx": 0.98, "correct_letter": 1.02, "correct_label": 1.0, "correct_answer_idx": 1.0, "cop": 0.9, "result": 0.84, "answer_number": 1.08, "answer_idx": 1.0, "answer_index": 0.98,
    "answer_letter": 1.04, "answer_choice": 0.95, "answer_value": 1.0, "answer_text": 0.98, "answer_label": 1.0, "final_decision": 0.95, "decision": 0.75, "verdict": 0.85, "highlights": 0.8, "highlight": 0.7, "summary": 0.82,
    "abstract": 0.45, "completion": 0.82, "best_answer": 1.06, "reference_answer": 1.06, "reference": 0.7, "response_reference": 0.95, "reference_response": 0.95, "ref_response": 0.95, "references": 0.6, "ref_answer": 1.0, "ideal": 0.85, "expected": 0.85, "expected_output": 0.92, "expected_response": 0.9, "expected_result": 0.9,
    "chosen": 0.72, "verification_info": 1.06, "reward_model": 0.3, "possible_answers": 1.02, "answer_aliases": 0.8, "gold_label": 1.02, "gold_index": 1.0, "gold_idx": 1.0,
    "a": 0.9, "sentiment": 0.8, "class": 0.72, "classification": 0.75, "category": 0.35, "intent": 0.78, "emotion": 0.75, "topic": 0.3, "coarse_label": 0.85, "fine_label": 0.75, "label_text": 0.7, "label_coarse": 0.85, "label_fine": 0.75, "is_correct": 0.4, "right_answer": 1.0, "key": 0.15, "ans": 0.95, "translation": 0.6, "relation": 0.6, "polarity": 0.8, "stance": 0.92, "positive": 0.5,
    "sql": 0.92, "query": 0.3, "program": 0.5, "code": 0.5, "canonical_solution": 0.5, "reference_solution": 0.55, "gold_standard_solution": 0.5, "ground_truth_solution": 0.55, "generated_solution": 0.3, "rationale": 0.15, "explanation": 0.12, "reply": 0.75, "assistant": 0.75, "gpt": 0.7, "bot": 0.6, "human_answer": 0.8, "human_answers": 0.8, "summary_text": 0.8, "value": 0.5, "proof": 0.4, "entailment": 0.7, "is_true": 0.8, "winner": 0.75,
    "long_answer": 0.35, "short_answer": 1.0, "short_answers": 1.0, "wellformedanswers": 0.5, "answers_spans": 1.0, "spans": 0.6, "answer_right_ending": 1.0, "word": 0.3, "obj": 0.2, "numerical_answer": 1.05, "exact_answer": 1.08, "answer_latex": 0.95, "target_text": 0.95, "final_result": 1.0, "tgt": 0.9, "antwort": 0.95, "lösung": 0.85, "respuesta": 0.95, "réponse": 0.95, "reponse": 0.95, "risposta": 0.95, "resposta": 0.95, "ответ": 0.95, "答案": 1.0, "回答": 0.95, "解答": 0.9, "정답": 0.95, "답변": 0.9, "إجابة": 0.95, "उत्तर": 0.95, "correct_answer_id": 1.0, "answer_id": 0.9, "output_text": 0.82,
    "toxicity": 0.8, "toxic": 0.65, "choice": 0.5, "preference": 0.7, "hate": 0.7, "hateful": 0.7, "offensive": 0.7, "irony": 0.7, "sarcasm": 0.7, "spam": 0.75, "humor": 0.6, "score": 0.4, "rating": 0.45, "stars": 0.6, "star_rating": 0.6,
    "snippet": 0.8, "bash": 0.85, "command": 0.75, "cmd": 0.75, "moves": 0.6, "best_move": 0.9, "ner_tags": 0.9, "pos_tags": 0.7, "tags": 0.35, "upos": 0.7, "priority": 0.5, "severity": 0.5, "urgency": 0.5, "department": 0.4, "outcome": 0.6, "disposition": 0.6, "resolution": 0.5, "bbox": 0.7, "bboxes": 0.7, "corrections": 0.8, "correction": 0.8, "simplification": 0.8, "simplifications": 0.8, "paraphrase": 0.7, "paraphrases": 0.7, "rewrite": 0.6, "rubric": 0.8, "rubrics": 0.9, "claims": 0.6, "checklist": 0.8, "checkers": 0.8, "grading_scheme": 0.8, "grading_guidelines": 0.7, "criteria": 0.5, "actions": 0.7, "action": 0.7, "action_reprs": 0.72, "plan": 0.5, "trajectory": 0.4, "caption": 0.7, "captions": 0.7, "diagnosis": 0.8, "pathology": 0.7, "true_false": 0.9, "tldr": 0.82, "tl_dr": 0.82, "truth": 0.8, "expected_value": 0.95, "label_name": 0.75, "class_name": 0.75, "fixed_code": 0.8, "secret": 0.7, "continuation": 0.7, "next": 0.8, "optimal": 0.9, "best": 0.7, "true": 0.7, "golden": 0.95, "alternative": 0.6, "richtig": 0.9, "correcta": 0.95, "correcte": 0.95, "esatta": 0.9, "gabarito": 0.95, "正确答案": 1.0, "正解": 1.0, "transcription": 0.8, "transcript": 0.7,
    "ergebnis": 0.84, "résultat": 0.84, "resultat": 0.84, "resultado": 0.84, "risultato": 0.84, "antwoord": 0.95, "resultaat": 0.84, "svar": 0.95, "vastaus": 0.95, "odpowiedź": 0.95, "odpověď": 0.95, "válasz": 0.95, "răspuns": 0.95, "cevap": 0.95, "yanıt": 0.95, "jawaban": 0.95, "kunci": 0.85, "câu_trả_lời": 0.95, "đáp_án": 1.0, "solución": 0.75, "soluzione": 0.75, "solução": 0.75, "відповідь": 0.95, "решение": 0.75, "результат": 0.84, "결과": 0.84, "결과값": 0.84, "結果": 0.84, "结果": 0.84, "απάντηση": 0.95, "תשובה": 0.95, "جواب": 0.95, "উত্তর": 0.95, "คำตอบ": 0.95,
}  # fmt: skip

TESTS: dict[str, float] = {
    "test": 1.08, "tests": 1.1, "test_list": 1.12, "test_cases": 1.12, "testcases": 1.1, "test_case": 1.05, "unit_tests": 1.12, "unit_test": 1.1, "private_test_cases": 1.14, "private_tests": 1.14, "hidden_tests": 1.14,
    "public_test_cases": 1.05, "public_tests": 1.05, "generated_tests": 1.0, "input_output": 1.12, "inputs_outputs": 1.1, "fail_to_pass": 1.12, "f_2_p_tests": 1.12, "pass_to_pass": 0.9, "p_2_p_tests": 0.9, "expected_output_json": 1.1, "test_code": 1.1, "test_patch": 0.5, "challenge_test_list": 0.7, "assertions": 1.1, "asserts": 1.1, "official_tests": 1.05, "examples": 0.3, "test_setup_code": 0.2, "verification_info": 1.1, "reward_model": 0.2, "ground_truth": 1.12, "code_context": 0.8, "hidden_test_cases": 1.14, "plus_tests": 1.0, "base_tests": 1.0,
}  # fmt: skip
"""Names of test suites. They outrank a reference solution: code is graded by running it."""

CONTEXT: dict[str, float] = {
    "context": 1.0, "contexts": 1.0, "passage": 1.0, "passages": 0.95, "article": 1.0, "story": 1.0, "document": 0.95, "documents": 0.9, "paragraph": 1.0, "paragraphs": 0.95, "premise": 1.0, "premises": 1.0, "narrative": 1.0, "background": 0.8,
    "input": 0.9, "tools": 1.0, "functions": 0.95, "function": 0.8, "system": 0.95, "system_prompt": 0.95, "system_instruction": 0.95, "system_message": 0.95, "system_content": 0.9, "body": 0.9, "table": 0.9, "sql_context": 1.0, "schema": 0.8, "db_schema": 0.9, "text": 0.55, "title": 0.35, "evidence": 0.45, "dialogue": 0.8, "ctx": 0.9, "sentence1": 0.9, "content": 0.5, "hint": 0.4, "facts": 0.2, "support": 0.1, "pre_text": 0.9, "post_text": 0.9, "source_text": 0.8, "reference_text": 0.7, "available_tools": 1.0, "fact1": 0.2, "starter_code": 0.5, "policy": 0.6, "statute": 0.9, "theory": 0.9, "clause": 0.6, "contract": 0.8, "conversation_history": 0.8, "history": 0.7, "rules": 0.6, "create_table": 0.8, "ddl": 0.8, "evidence_text": 0.6, "knowledge": 0.5, "table_data": 0.8, "constraints_text": 0.3,
}  # fmt: skip

CHOICES: dict[str, float] = {
    "choices": 1.0, "options": 1.0, "endings": 1.0, "candidates": 0.85, "alternatives": 0.9, "answer_choices": 1.0, "answer_options": 1.0, "choice": 0.8, "option": 0.8, "possible_choices": 0.9, "multiple_choice_targets": 1.0, "mc_options": 1.0, "choice_list": 0.95, "options_list": 0.95, "answers": 0.5, "targets": 0.4, "labels": 0.2, "texts": 0.2, "mc_answers": 0.8, "classes": 0.6, "all_classes": 0.6, "class_names": 0.6, "opts": 0.9, "antworten": 0.6, "opciones": 0.9, "选项": 1.0, "選択肢": 1.0, "choix": 0.9, "alternativas": 0.9, "варианты": 0.9,
}  # fmt: skip

_META = re.compile(
    r"^index_level_\d+$|^unnamed(?:_\d+)?$|(?:^|_)(?:id|ids|uid|uuid|guid|qid|pid|idx|index|ind|url|link|date|year|time|timestamp|source|src|dataset|data_source|split|subset|type|types|style|version|author|license|language|lang|"
    r"level|difficulty|subject|topic|domain|field|subfield|category|categories|ability|tag|tags|title|name|names|model|models|metadata|meta|hash|nr|nummer|row|contest|platform|repo|commit|canary|"
    r"source_id|task|tasks|group|groups|worker|annotator|annotators|batch|length|len|offset|offsets|num|count|tokens|toks|token|rating|votes|score|scores|keywords|status|origin|website|web|file|files|filename|path|paths|urls|links|image|images|picture|audio|video)$"
)
_RATE = re.compile(
    r"(?:^|_)(?:solve_rate|pass_rate|pass_percentage|pass_at_\d+|pass@\d+|win_rate|success_rate|accuracy|acc|difficulty|avg_\d+|mean_reward|reward_mean|solved|correct_rate|correctness_rate|passrate|solverate)(?:_|$)|^avg_?@?\d+|^pass_?@?\d+|solve_rate|pass_rate|passrate|solverate"
)


_MADE = frozenset({"model", "generated", "predicted", "prediction", "pred", "llm", "student", "inference", "rollout", "sampled"})
_CLASSES = frozenset({"intent", "category", "emotion", "sentiment", "class", "topic", "stance", "relation", "label", "genre"})


_RIGHT = frozenset({"optimal", "best", "expected", "correct", "gold", "golden", "true", "final", "reference", "target", "ideal"})
_QUALIFIERS = frozenset({"only", "body", "main", "final", "short", "clean", "cleaned", "extracted", "exact", "numeric", "normalized", "processed", "str", "string", "text", "new", "augmented"})
"""Words that say in which form a field is given (`answer_only`): it is the field all the same."""
_WRONG = frozenset({"negative", "negatives", "incorrect", "wrong", "distractor", "distractors", "false", "rejected"})
_WAYS = frozenset({"explanation", "explanations", "rationale", "rationales", "reasoning", "thinking", "thought", "thoughts", "cot", "justification", "justifications", "notes"})
_POINTS = frozenset({"answer", "correct", "gold", "label", "solution", "target", "choice", "option"})


def is_made(words: tuple[str, ...]) -> bool:
    """Names of what some model wrote (`model_output`): not what is right."""
    return len(words) > 1 and words[0] in _MADE


def explains(words: tuple[str, ...]) -> bool:
    """Names of the way to an answer (`rationale`): beside a task, neither what is asked nor what is right."""
    return bool(words) and words[-1] in _WAYS


def is_wrong(words: tuple[str, ...]) -> bool:
    """Names of what is not right (`negative_2`, `incorrect_answer`)."""
    # `True/False` names both values of a column.
    return bool(_WRONG.intersection(words)) and not {"not", "true"}.intersection(words)


def is_class(words: tuple[str, ...]) -> bool:
    """Names of classes (`intent`): a class is a word or two, so a sentence there is something else."""
    return bool(words) and words[-1] in _CLASSES


def weight(table: dict[str, float], words: tuple[str, ...]) -> float:
    """How strongly a name speaks: exact, else by its last or first words (`final_question_text`)."""
    if not words:
        return 0.0
    key = "_".join(words)
    if key in table:
        return table[key]
    # `correct_choice_idx` is the `correct_choice`, given by its place.
    best = 0.97 * table.get("_".join(words[:-1]), 0.0) if words[-1] in ("idx", "index", "number", "num") and _POINTS.intersection(words) else 0.0
    plain = [word for word in words if word not in _QUALIFIERS]
    if 0 < len(plain) < len(words):
        best = max(best, 0.98 * table.get("_".join(plain), 0.0))
    for size in range(len(words) - 1, 0, -1):
        # The end of a name says what it is (`math_problem`), its start less so (`question_type`).
        tail, front = "_".join(words[-size:]), "_".join(words[:size])
        best = max(best, 0.88 * table.get(tail, 0.0), 0.6 * table.get(front, 0.0))
    return best


def is_meta(words: tuple[str, ...]) -> bool:
    """Names of bookkeeping: ids, sources, difficulty, subjects; neither prompt nor gold."""
    if len(words) > 1 and words[0] in _RIGHT:
        return False
    if words[-1:] and words[-1] in ("idx", "index", "ind", "id", "num", "number") and _POINTS.intersection(words):
        return False
    return bool(_META.search("_".join(words)))


def is_rate(name: str, words: tuple[str, ...]) -> bool:
    """Names of solve rates and difficulties: what they say is about learnability, never the answer."""
    return bool(_RATE.search("_".join(words)) or _RATE.search(name.lower()))
