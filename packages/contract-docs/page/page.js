const mount = document.getElementById('docs');

SwaggerUIBundle({
  domNode: mount,
  url: new URL(mount.dataset.contract, document.baseURI).href,
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: 'none',
});
