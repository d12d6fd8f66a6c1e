// What htmx does not do by itself: jumping between text and cards, focus after a decision, telling what went wrong.
// Every page works without this file.
(function () {
  "use strict";

  const announcer = () => document.getElementById("announcer");

  function tell(text) {
    const box = announcer();
    if (!box) return;
    box.textContent = "";
    // A fresh node each time, so that the same sentence is announced and shown again.
    requestAnimationFrame(() => { box.textContent = text; });
  }

  function goTo(element) {
    if (!element) return false;
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    element.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
    element.classList.remove("flash");
    void element.offsetWidth;
    element.classList.add("flash");
    return true;
  }

  function goToCard(card) {
    if (!goTo(card)) return false;
    card.focus({ preventScroll: true });
    return true;
  }

  document.addEventListener("click", (event) => {
    const toCard = event.target.closest("a[data-card]");
    if (toCard && goToCard(document.getElementById(toCard.dataset.card))) {
      event.preventDefault();
      return;
    }
    const toMark = event.target.closest("[data-mark]");
    if (toMark && goTo(document.getElementById(toMark.dataset.mark))) event.preventDefault();
  });

  // Words selected in a card's sentence go into its field.
  document.addEventListener("selectionchange", () => {
    const selection = document.getSelection();
    const text = selection.toString().replace(/\s+/g, " ").trim();
    if (!text || !selection.anchorNode) return;
    const node = selection.anchorNode.nodeType === 1 ? selection.anchorNode : selection.anchorNode.parentElement;
    const sentence = node && node.closest("[data-sentence]");
    if (!sentence || !sentence.contains(selection.focusNode)) return;
    const field = (sentence.closest(".card") || sentence.parentElement).querySelector("[data-words]");
    if (field) field.value = text;
  });

  document.addEventListener("change", (event) => {
    if (event.target.matches("select[data-submits]")) event.target.form.requestSubmit();
  });

  // A decided card is swapped; whoever decided by keyboard goes on with the next one that waits.
  let decidedCard = null;
  document.addEventListener("htmx:beforeRequest", (event) => {
    const form = event.detail.elt.closest("form.decide, form.anchor-form");
    decidedCard = form && form.contains(document.activeElement) ? form.closest(".card") : null;
    decidedCard = decidedCard && decidedCard.id;
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    const field = event.target.querySelector && event.target.querySelector("[data-words]");
    if (field) { field.focus(); field.select(); return; }
    if (!decidedCard) return;
    const card = document.getElementById(decidedCard);
    decidedCard = null;
    if (!card || (document.activeElement && document.activeElement !== document.body)) return;
    const failed = card.querySelector("[role=alert]");
    let next = failed || card.matches(".pending") ? card : card.nextElementSibling;
    while (next && !next.matches(".pending")) next = next.nextElementSibling;
    (next || card).focus({ preventScroll: !next });
  });

  // What asks again by itself says above it that it gets no answer, until it gets one.
  function missAnswer(event) {
    const poller = event.detail.elt.closest("[hx-trigger^=every]");
    if (!poller) return false;
    if (!document.getElementById("no-answer")) {
      const notice = document.createElement("p");
      notice.id = "no-answer";
      notice.className = "notice warn";
      notice.setAttribute("role", "status");
      notice.textContent = "No answer from the server; trying again.";
      poller.before(notice);
    }
    return true;
  }
  document.addEventListener("htmx:afterRequest", (event) => {
    const notice = document.getElementById("no-answer");
    if (notice && event.detail.successful) notice.remove();
  });

  document.addEventListener("htmx:sendError", (event) => {
    if (!missAnswer(event)) tell("The server cannot be reached. Nothing was saved; try again.");
  });
  document.addEventListener("htmx:timeout", (event) => {
    if (!missAnswer(event)) tell("The server took too long. Look whether it was saved, then try again.");
  });
  document.addEventListener("htmx:responseError", (event) => {
    if (missAnswer(event)) return;
    const status = event.detail.xhr.status;
    tell(status === 403 ? "You may not do this, or the form is too old. Reload the page."
      : "Something broke on the server (" + status + "). Nothing was saved; try again.");
  });
  const endings = {
    done: "The run has ended. The figures are fresh.",
    failed: "The run failed. The reason stands under its heading.",
    stopped: "The run was stopped. What was read so far is kept.",
  };
  document.addEventListener("pipeline-ended", (event) => tell(endings[event.detail.status] || "The run has ended."));
})();
