// Serves the built site. VitePress could do so for one version only.
export default {
  appType: 'mpa',
  build: { outDir: '../target/site' },
  preview: { host: '127.0.0.1', port: 8000 },
};
