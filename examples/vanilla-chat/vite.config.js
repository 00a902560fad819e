/** Browsers that can run a conference all know `modulepreload`, so its polyfill would be 300 bytes for nothing. */
export default { build: { modulePreload: { polyfill: false } } }
