// Renders the description on the page. The nonce lets Redoc add its styles, which the page's policy forbids otherwise.
(() => {
  const script = document.currentScript;
  const font = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif";
  const options = {
    nonce: script.nonce,
    expandResponses: "200,201",
    hideDownloadButton: false,
    jsonSampleExpandLevel: 3,
    requiredPropsFirst: true,
    schemaExpansionLevel: 1,
    theme: {
      colors: { primary: { main: "#1f4e79" } },
      typography: {
        fontFamily: font,
        headings: { fontFamily: font, fontWeight: "600" },
        code: { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" },
      },
    },
  };
  const page = document.getElementById("docs");
  const failed = (error) => {
    page.innerHTML = '<p class="note">The description could not be shown. Please try again in a moment.</p>';
    console.error(error);
  };
  fetch(script.dataset.description)
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(`status ${answer.status}`))))
    .then((description) => Redoc.init(description, options, page, (error) => error && failed(error)))
    .catch(failed);
})();
