// The widgets' script is fetched when the reader is two screens away from a widget, or came by a link to a state of one.
{
  const source = document.currentScript.src.replace(/ag-near\.js.*/, "ag-widgets.min.js");
  const near = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && load(), {
    rootMargin: "200% 0%",
  });
  const load = () => {
    near.disconnect();
    removeEventListener("hashchange", follow);
    const script = document.createElement("script");
    script.src = source;
    document.head.append(script);
  };
  const follow = () => location.hash.startsWith("#ag=") && load();
  for (const still of document.querySelectorAll(".ag-static")) near.observe(still);
  addEventListener("hashchange", follow);
  follow();
}
