"""Any model of transformers: small ones of every kind, made here from configurations with random weights."""

import socket
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch")
hf = pytest.importorskip("transformers")

from attention_geometry import bilinear  # noqa: E402
from attention_geometry.attention import causal_mask, scores, softmax  # noqa: E402
from attention_geometry.models import transformers  # noqa: E402

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *"the dog saw its owner drop a ball near old red house and ran".split()]
SMALL = {"vocab_size": len(WORDS), "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4}
WIDE = {"intermediate_size": 32, "max_position_embeddings": 32}
NARROW = {"n_embd": 24, "n_layer": 2, "n_head": 4, "n_positions": 32, "vocab_size": len(WORDS)}
TEXTS = ["the dog saw its owner drop the ball", "dog", "a red house and a old red dog"]


def build(kind, *, layers_of="Model", std=0.5, eager=True, **config):
    torch.manual_seed(1)
    config = getattr(hf, f"{kind}Config")(**config, initializer_range=std)
    return (
        getattr(hf, f"{kind}{layers_of}")
        ._from_config(config, **({"attn_implementation": "eager"} if eager else {}))
        .eval()
    )


MODELS = {
    "bert": lambda **more: build("Bert", **SMALL, **WIDE, **more),
    "distilbert": lambda **more: build(
        "DistilBert", vocab_size=len(WORDS), dim=24, n_layers=2, n_heads=4, hidden_dim=32, **more
    ),
    "gpt2": lambda **more: build("GPT2", **NARROW, **more),
    "llama": lambda **more: build("Llama", **SMALL, **WIDE, num_key_value_heads=2, **more),
    "qwen2": lambda **more: build("Qwen2", **SMALL, **WIDE, num_key_value_heads=1, **more),
    "classifier": lambda **more: build("Bert", layers_of="ForSequenceClassification", **SMALL, **WIDE, **more),
    "language": lambda **more: build("Llama", layers_of="ForCausalLM", **SMALL, **WIDE, num_key_value_heads=2, **more),
}
#: Models whose scores are something else than Q Kᵀ/√d_k of plain projections, or whose projections are not recognised.
OTHERS = {
    "qwen3": lambda: build("Qwen3", **SMALL, **WIDE, num_key_value_heads=2, head_dim=6),
    "gpt_neox": lambda: build("GPTNeoX", **SMALL, **WIDE),
    "gpt2, scaled by layer": lambda: MODELS["gpt2"](scale_attn_by_inverse_layer_idx=True),
    "gpt2, not scaled": lambda: MODELS["gpt2"](scale_attn_weights=False),
    "gemma2": lambda: build("Gemma2", **SMALL, **WIDE, num_key_value_heads=2, head_dim=6, query_pre_attn_scalar=3),
}
CAUSAL = {"gpt2", "llama", "qwen2", "language", *OTHERS}


def make_tokenizer(*, special):
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    if special:
        ends = [("[CLS]", 2), ("[SEP]", 3)]
        tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    marks = {"pad_token": "[PAD]", "unk_token": "[UNK]"} if special else {"unk_token": "[UNK]"}
    return hf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **marks, padding_side="left")


BERT, PLAIN = make_tokenizer(special=True), make_tokenizer(special=False)


def run(name, model, text, **options):
    return transformers.record(model, PLAIN if name in CAUSAL else BERT, text, **options)


@pytest.fixture(scope="module")
def models():
    made = {}

    def get(name):
        if name not in made:
            made[name] = (MODELS | OTHERS)[name]()
        return made[name]

    return get


@pytest.mark.parametrize("name", [*MODELS, *OTHERS])
def test_weights_tokens_and_mask_of_one_text_are_the_models(models, name):
    model, tokenizer = models(name), PLAIN if name in CAUSAL else BERT
    record = run(name, model, TEXTS[0])
    with torch.inference_mode():
        out = model(**tokenizer(TEXTS[0], return_tensors="pt"), output_attentions=True)
    assert np.array_equal(record.weights, torch.cat(out.attentions).double().numpy())
    words = TEXTS[0].split()
    assert record.tokens == tuple(words if name in CAUSAL else ["[CLS]", *words, "[SEP]"])
    assert np.array_equal(record.mask[0, 0], causal_mask(8) if name in CAUSAL else np.ones((10, 10)))
    assert record.precision == "float32" and type(model).__name__ in record.model and record.valid.all()


@pytest.mark.parametrize("name", ["llama", "gpt2", *OTHERS])
def test_one_token_recovers_what_more_tokens_do(models, name):
    word = TEXTS[0].split()[0]
    one, more = (run(name, models(name), text) for text in (word, TEXTS[0]))
    assert one.n_tokens == 1 and one.positions == more.positions
    assert (one.scores is None) == (more.scores is None) == (one.W_Q is None) == (name in OTHERS)


@pytest.mark.parametrize("name", MODELS)
def test_what_is_recovered_of_known_families_agrees_with_itself(models, name):
    record = run(name, models(name), TEXTS[0])
    assert np.allclose(softmax(record.scores, mask=record.mask), record.weights, atol=1e-5)
    assert np.isfinite(record.scores).all() and record.folded is False and record.scores.std() > 0.1
    assert (
        np.abs(np.diff(record.weights, axis=-1)).max() > 0.2
    )  # the weights are not flat, so the equality says something
    for l in range(2):
        for h in range(4):
            head = record.head(l, h)
            assert np.allclose(head.Q @ head.K.T / np.sqrt(6), head.scores, atol=1e-9)
            assert np.allclose(head.X @ head.W_V + (0 if head.b_V is None else head.b_V), head.V, atol=1e-5)
            if record.positions != "rotary":
                again = scores(head.X, head.W_Q, head.W_K, b_Q=head.b_Q, b_K=head.b_K)
                assert np.allclose(again, head.scores, atol=1e-4)
    assert (record.positions == "rotary") == (name in ("llama", "qwen2", "language"))


@pytest.mark.parametrize("name", ["llama", "qwen2"])
def test_rotary_scores_are_those_of_the_rotary_form(models, name):
    record = run(name, models(name), TEXTS[0])
    offsets = np.subtract.outer(np.arange(8), np.arange(8))
    R = bilinear.rope_rotation(offsets, 6, pairs="halves")
    for h in range(4):
        head = record.head(1, h)
        q, k = (head.X @ W + (0 if b is None else b) for W, b in ((head.W_Q, head.b_Q), (head.W_K, head.b_K)))
        assert np.allclose(np.einsum("ia,ijab,jb->ij", q, R, k) / np.sqrt(6), head.scores, atol=1e-4)
    assert record.key_head == ((0, 0, 1, 1) if name == "llama" else (0, 0, 0, 0))


@pytest.mark.parametrize("name", MODELS)
def test_the_heads_written_back_lead_from_one_hidden_state_to_the_next(models, name):
    """Second formula for `hidden`, `inputs` and `W_O`: the layer's own norms and MLP around Σ A V W_O."""
    model = models(name)
    record = run(name, model, TEXTS[0])
    mixed = np.einsum("hij,hjv,hvd->id", record.weights[1], record.values[1][list(record.key_head)], record.W_O[1])
    x, h = (torch.tensor(a, dtype=torch.float32)[None] for a in (record.hidden[1], mixed))
    with torch.inference_mode():
        if name in ("bert", "classifier"):
            layer = getattr(model, "bert", model).encoder.layer[1]
            h = layer.attention.output.LayerNorm(x + h + layer.attention.output.dense.bias)
            after, before = layer.output(layer.intermediate(h), h), x
        elif name == "distilbert":
            layer = model.transformer.layer[1]
            h = layer.sa_layer_norm(x + h + layer.attention.out_lin.bias)
            after, before = layer.output_layer_norm(layer.ffn(h) + h), x
        elif name == "gpt2":
            layer = model.h[1]
            h = x + h + layer.attn.c_proj.bias
            after, before = h + layer.mlp(layer.ln_2(h)), layer.ln_1(x)
        else:
            layer = getattr(model, "model", model).layers[1]
            after = x + h + layer.mlp(layer.post_attention_layernorm(x + h))
            before = layer.input_layernorm(x)
    assert np.allclose(after[0].numpy(), record.hidden[2], atol=1e-4)
    assert np.allclose(before[0].numpy(), record.inputs[1], atol=1e-5)


@pytest.mark.parametrize("name", OTHERS)
def test_where_scores_are_others_they_are_none_and_the_weights_stand(models, name):
    record = run(name, models(name), TEXTS[0])
    for field in ("scores", "queries", "keys", "values", "W_Q", "W_K", "W_V", "W_O", "inputs", "hidden"):
        assert getattr(record, field) is None, field
    assert record.positions == "unknown" and np.abs(np.diff(record.weights, axis=-1)).max() > 0.05


@pytest.mark.parametrize("name", [*MODELS, "qwen3"])
def test_a_batch_with_padding_gives_what_single_texts_give(models, name):
    singles = [run(name, models(name), text) for text in TEXTS]
    for batch in (1, 2, 8):
        records = run(name, models(name), (text for text in TEXTS), batch=batch)
        for record, single in zip(records, singles, strict=True):
            assert record.tokens == single.tokens and record.n_tokens == single.n_tokens
            for field in ("weights", "scores", "queries", "values", "inputs", "hidden"):
                if getattr(single, field) is not None:
                    assert np.allclose(getattr(record, field), getattr(single, field), atol=1e-4), field
        assert name == "qwen3" or all(np.shares_memory(record.W_Q, records[0].W_Q) for record in records)
    assert run(name, models(name), []) == []


def test_the_model_is_left_as_it_was(models):
    model = models("llama")

    def hooks():
        return [len(m._forward_hooks) + len(m._forward_pre_hooks) for m in model.modules()]

    with torch.inference_mode():
        model(torch.tensor([[4, 5]]), output_attentions=True, output_hidden_states=True)  # sets hooks of its own
    before, hooked = {name: p.clone() for name, p in model.named_parameters()}, hooks()
    run("llama", model, TEXTS)
    assert hooks() == hooked
    assert all(torch.equal(before[name], p) for name, p in model.named_parameters()) and not model.training
    with pytest.raises(TypeError, match="stop"), transformers._captured(transformers._layers(model)):
        assert sum(hooks()) > sum(hooked)
        raise TypeError("stop")
    assert hooks() == hooked  # also after an error none stays


def test_B1_a_model_that_is_not_eager_is_refused_by_name():
    model = MODELS["bert"](eager=False)
    assert model.config._attn_implementation == "sdpa"
    with pytest.raises(ValueError, match="'sdpa'.*attn_implementation='eager'") as error:
        transformers.record(model, BERT, TEXTS[0])
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("attentions", [None, (), (None, None)])
def test_B1_a_model_that_returns_no_weights_is_refused(attentions, monkeypatch):
    model = MODELS["bert"]()
    whole = type(model).forward

    def forward(self, *args, **kwargs):
        out = whole(self, *args, **kwargs)
        out.attentions = attentions
        return out

    monkeypatch.setattr(type(model), "forward", forward)
    with pytest.raises(TypeError, match="no attention weights.*eager"):
        transformers.record(model, BERT, TEXTS[0])


@pytest.mark.parametrize("lost", [0.6, 0.001])
def test_B3_a_lost_causal_mask_is_reported(lost, monkeypatch, models):
    model = models("gpt2")
    whole = type(model).forward

    def forward(self, *args, **kwargs):
        out = whole(self, *args, **kwargs)
        out.attentions[1][0, 2, 1] = torch.tensor([0.3, 0.7 - lost, lost, 0, 0, 0, 0, 0])
        return out

    monkeypatch.setattr(type(model), "forward", forward)
    with pytest.raises(ValueError, match=rf"not causal: {lost} of row 1 \(layer 1, head 2\)"):
        transformers.record(model, PLAIN, TEXTS[0])
    assert transformers.record(model, PLAIN, TEXTS[0], causal=False).mask.all()


def test_B2_the_whole_text_of_a_generation_is_one_record(models):
    from attention_geometry.models import arrays

    model, prompt = models("language"), PLAIN("the dog saw its owner", return_tensors="pt")
    out = model.generate(
        **prompt, max_new_tokens=3, do_sample=False, output_attentions=True, return_dict_in_generate=True,
        pad_token_id=0, eos_token_id=None,
    )  # fmt: skip
    with pytest.raises(ValueError, match="each step of a generation"):
        arrays.record(out.attentions)
    prefill = arrays.record(out.attentions[0])
    assert np.allclose(prefill.weights, transformers.record(model, PLAIN, "the dog saw its owner").weights, atol=1e-6)


@pytest.mark.parametrize("name", MODELS)
def test_B5_bfloat16_models_are_measured_in_their_precision(name):
    model = MODELS[name](std=0.2)
    exact, rough = (run(name, m, TEXTS[0]) for m in (model, model.bfloat16()))
    assert rough.precision == "bfloat16" and rough.scores is not None
    assert np.abs(rough.weights - exact.weights).max() < 0.05


def test_B6_an_overflow_in_half_precision_is_one_clear_line():
    model = MODELS["gpt2"]()
    with torch.no_grad():
        model.h[1].attn.c_attn.bias.fill_(300)  # 300 · 300 · 6 is more than 65504
    assert transformers.record(model, PLAIN, TEXTS[0]).valid.all()
    with pytest.raises(ValueError, match="half precision.*float32") as error:
        transformers.record(model.half(), PLAIN, TEXTS[0])
    assert "\n" not in str(error.value)


def test_F20_wrong_objects_are_named(models):
    model = models("bert")
    for wrong in ("bert-base-uncased", 0.5, None, (), torch.nn.Linear(2, 2), np.eye(3), BERT):
        with pytest.raises(TypeError, match="model is of type.*eager"):
            transformers.record(wrong, BERT, TEXTS[0])
    for wrong in ("bert-base-uncased", None, model, lambda text: [1, 2]):
        with pytest.raises(TypeError, match="tokenizer is of type.*AutoTokenizer"):
            transformers.record(model, wrong, TEXTS[0])
    for wrong in (None, 3, b"dog", ["dog", None], [["dog"]]):
        with pytest.raises(TypeError, match="expected a string"):
            transformers.record(model, BERT, wrong)
    with pytest.raises(ValueError, match="half a surrogate pair"):
        transformers.record(model, BERT, "dog \ud83d")
    with pytest.raises(ValueError, match="batch"):
        transformers.record(model, BERT, TEXTS, batch=0)


def test_F4_a_text_without_a_token_or_with_too_many_is_refused(models):
    for name in ("bert", "gpt2"):
        for text in ("", "  \n"):
            with pytest.raises(ValueError, match="holds no token"):
                run(name, models(name), text)
        assert run(name, models(name), "dog " * 30).n_tokens in (30, 32)
        with pytest.raises(ValueError, match="3[35] tokens, the model takes 32"):
            run(name, models(name), "dog " * 33)


def test_a_window_shorter_than_the_text_is_refused():
    model = build("Mistral", **SMALL, **WIDE, num_key_value_heads=2, sliding_window=4)
    assert transformers.record(model, PLAIN, "the dog saw").n_tokens == 3
    with pytest.raises(ValueError, match="8 tokens.*window of 4"):
        transformers.record(model, PLAIN, TEXTS[0])


def test_training_mode_is_refused_and_an_encoder_with_a_decoder_too(models):
    with pytest.raises(ValueError, match=r"model.eval\(\)"):
        transformers.record(MODELS["bert"]().train(), BERT, TEXTS[0])
    whole = build("T5", std=1, vocab_size=len(WORDS), d_model=24, d_kv=6, num_heads=4, num_layers=2, d_ff=32)
    with pytest.raises(ValueError, match=r"encoder with a decoder.*get_encoder\(\)"):
        transformers.record(whole, BERT, TEXTS[0])
    record = transformers.record(whole.get_encoder().eval(), BERT, TEXTS[0])
    assert record.weights.shape == (2, 4, 10, 10) and record.scores is None and record.mask.all()


def test_F21_without_torch_the_extra_is_named(monkeypatch, models):
    model = models("bert")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match=r"attention-geometry\[torch\]"):
        transformers.record(model, BERT, TEXTS[0])


def test_F22_no_network_is_touched(monkeypatch, models):
    def refuse(*_, **__):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    assert transformers.record(models("bert"), BERT, "dog").n_tokens == 3


def test_wrapped_projections_give_no_matrices_but_the_rest(models):
    class Wrapped(torch.nn.Linear):
        """Like an adapter: its weight is not the map it applies."""

    model = MODELS["bert"]()
    model.encoder.layer[0].attention.self.query.__class__ = Wrapped
    record = transformers.record(model, BERT, TEXTS[0])
    assert record.W_Q is None and record.W_O is None and record.scores is not None
