"""Models whose heads can be measured. Each module reads one kind of model and hands over an `AttentionRecord`.

``record`` holds the record itself; ``minilm`` and ``smollm2`` read a trained encoder and a trained decoder from wheels;
``transformers`` takes any model of that library, and ``arrays`` what was computed elsewhere. ``toy`` trains models of
its own in seconds, and holds a record of them.
Nothing is imported until a module is named: ``from attention_geometry.models import minilm``.
"""
