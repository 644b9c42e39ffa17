"""Models whose heads can be measured. Each module reads one kind of model and hands over an `AttentionRecord`.

``record`` holds the record itself; ``minilm`` reads all-MiniLM-L6-v2 from its wheel.
Nothing is imported until a module is named: ``from attention_geometry.models import minilm``.
"""
