/** After all specs: the browser that they shared is closed. */
module.exports = () => globalThis.closeBrowser();
