// Says in JupyterLite what is loading and how large it is, until Python is there; and where it cannot come, why.
// A module for JupyterLab's federation written by hand: it borrows two modules of the app and brings none.
const NAME = "attention-geometry-loading";
const AFTER = 2000; // milliseconds; what is ready sooner needs no message
let scope;

const borrowed = async (name) => (await Object.values(scope[name])[0].get())();

const box = () => {
  const node = document.createElement("div");
  node.id = NAME;
  node.setAttribute("role", "status");
  node.style.cssText = `position: fixed; inset: auto 0 0; z-index: 10000; padding: 0.6em 1em; text-align: center;
    font: 15px/1.4 var(--jp-ui-font-family, sans-serif); border-top: 2px solid #0072b2; overflow-wrap: anywhere;
    color: var(--jp-ui-font-color0, #000); background: var(--jp-layout-color1, #fff);`;
  node.hidden = true;
  return document.body.appendChild(node);
};

const activate = (app, loggers) => {
  const config = JSON.parse(document.getElementById("jupyter-config-data").textContent);
  const { megabytes, from } = config.litePluginSettings[NAME];
  const node = box(); // there before it speaks, so that screen readers hear it
  const waiting = new Set();
  const say = (text) => {
    node.textContent = text;
    node.hidden = !text;
  };
  const wait = async ({ id, name }) => {
    waiting.add(id);
    setTimeout(() => waiting.has(id) && !node.textContent && say(
      `Python is loading into this browser from ${from}: about ${megabytes} MB, kept for the next time. ` +
      "The results below were stored with the book; run the cells once this line is gone.",
    ), AFTER);
    const kernel = app.serviceManager.kernels.connectTo({ model: { id, name }, handleComms: false });
    await kernel.info; // answered once Python runs
    kernel.dispose();
    waiting.delete(id);
    if (!waiting.size) say("");
  };
  const known = new Set();
  app.serviceManager.kernels.runningChanged.connect((_, models) => {
    for (const model of models) if (!known.has(model.id)) wait(model, known.add(model.id));
  });
  // The kernel tells the log what stopped it, and nobody else.
  const heard = new Set();
  loggers?.registryChanged.connect(() => {
    for (const logger of loggers.getLoggers()) if (!heard.has(logger)) {
      heard.add(logger);
      logger.contentChanged.connect(() => {
        const last = logger.outputAreaModel.get(logger.outputAreaModel.length - 1);
        if (waiting.size && last?.level === "critical") say(
          `Python could not be loaded from ${from}: ${last.toJSON().data["text/plain"]} ` +
          "Check the network and what blocks requests in this browser, then load this page again.",
        );
      });
    }
  });
};

window._JUPYTERLAB = window._JUPYTERLAB || {};
window._JUPYTERLAB[NAME] = {
  init: (shared) => { scope = shared; },
  get: async () => {
    const { ILoggerRegistry } = await borrowed("@jupyterlab/logconsole");
    const plugin = { id: `${NAME}:message`, autoStart: true, optional: [ILoggerRegistry], activate };
    return () => ({ __esModule: true, default: plugin });
  },
};
