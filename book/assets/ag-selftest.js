// Self-tests: the reason for the chosen option, said under its question. Reasons are out of sight, not secret.
(function () {
  "use strict";

  function decode(code, key) { // the same arithmetic as in ag_selftest.py
    var data = atob(code), text = "";
    for (var i = 0; i < data.length; i++) {
      key = (73 * key + 41) % 256;
      text += String.fromCharCode(data.charCodeAt(i) ^ key);
    }
    return decodeURIComponent(escape(text));
  }

  function start(question, place) {
    var reply = question.querySelector(".ag-reply");
    var button = document.createElement("button");
    button.type = "button";
    button.textContent = "Check";
    question.insertBefore(button, reply);

    function say(kind, html) {
      reply.className = "ag-reply" + (kind ? " ag-" + kind : "");
      reply.innerHTML = html;
    }
    function check() {
      var chosen = question.querySelector("input:checked");
      if (!chosen) return say("", "<p>Choose an answer first.</p>");
      var code = chosen.parentNode.querySelector("[data-ag-why]").getAttribute("data-ag-why");
      var why = decode(code, (91 * place + 29 * chosen.value + 7) % 256);
      if (why.charAt(0) === "1") say("right", "<p><strong>✓ Right.</strong> " + why.slice(1) + "</p>");
      else say("wrong", "<p><strong>✗ Not this one.</strong> " + why.slice(1) + " <em>Choose another and check again.</em></p>");
    }
    button.addEventListener("click", check);
    question.addEventListener("change", function () { say("", ""); });
    question.addEventListener("keydown", function (event) {
      if (event.key === "Enter" && event.target.type === "radio") { event.preventDefault(); check(); }
    });
  }

  var tests = document.querySelectorAll(".ag-selftest");
  for (var t = 0; t < tests.length; t++) {
    var questions = tests[t].querySelectorAll(".ag-question");
    for (var q = 0; q < questions.length; q++) start(questions[q], q);
    tests[t].removeChild(tests[t].querySelector(".ag-needs-script"));
  }
})();
