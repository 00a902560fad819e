const VERSION = 1

/**
 * A Keymoot server's page as an element: `<keymoot-conference src="https://meet.example/"></keymoot-conference>`.
 * `src` is the server's start page, or an invitation link. The server must name this page's origin in `EMBED_ORIGINS`.
 *
 * Events, as CustomEvents with `detail`: `joined`, `left`, `people` ({ count }), `security` ({ state, verified }) and
 * `ended` ({ reason }). The frame never tells what is written or drawn.
 */
export class KeymootConference extends HTMLElement {
  static observedAttributes = ["src"]
  #frame = document.createElement("iframe")
  #listening = null

  connectedCallback() {
    this.#listening = new AbortController()
    window.addEventListener("message", (event) => this.#take(event), this.#listening)
    this.#frame.title = this.getAttribute("label") ?? "Conference"
    // The browser asks the person for each device all the same.
    this.#frame.allow = "camera; microphone; display-capture; clipboard-read; clipboard-write; fullscreen"
    this.#frame.style.cssText = "display: block; inline-size: 100%; block-size: 100%; border: 0"
    this.append(this.#frame)
    this.#load()
  }

  disconnectedCallback() {
    this.#listening?.abort()
    this.#frame.remove()
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#load()
  }

  /** Null unless it leads to a web server. A `javascript:` address would run in this page. */
  get #address() {
    const src = this.getAttribute("src")
    if (src === null || !URL.canParse(src, location.href)) return null
    const url = new URL(src, location.href)
    return /^https?:$/.test(url.protocol) ? url : null
  }

  #load() {
    const address = this.#address
    if (address === null && this.hasAttribute("src"))
      console.error("keymoot-conference: give src the address of a server, beginning with https:")
    this.#frame.src = address?.href ?? "about:blank"
  }

  #take({ source, origin, data }) {
    if (source !== this.#frame.contentWindow || origin !== this.#address?.origin) return
    if (typeof data !== "object" || data?.keymoot !== VERSION) return
    const { keymoot, type, ...detail } = data
    if (type === "ready") return source.postMessage({ keymoot, type: "hello" }, origin)
    this.dispatchEvent(new CustomEvent(type, { detail }))
  }
}

customElements.define("keymoot-conference", KeymootConference)
