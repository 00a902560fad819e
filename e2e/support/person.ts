import { expect, type Locator, type Page } from "@playwright/test"
import { Board } from "./board.ts"

export type Said = { readonly from: string; readonly text: string; readonly transferred: boolean }
/** As the start screen words them, folded under "Options" and "Cryptography". `keyAgreement`: by its short name. */
export type StartOptions = {
  readonly title?: string
  readonly history?: History
  readonly keyAgreement?: string
  readonly cipher?: "ChaCha20-Poly1305" | "AES-256-GCM-SIV"
  readonly provedBy?: "each person’s signature" | "the group’s key only"
  readonly quantumComputers?: "extra protection (ML-KEM-768)" | "no extra protection"
}
export type History = "everything from the start" | "the board as it is, and new chat messages"

const TRACE_LINE = /^\d\d:\d\d:\d\d\.\d{3} [\da-f]{8} /u
const TRACE_LINES_MAX = 1000

/** Somebody in front of a browser: does and sees what a person does and sees, and finds things by their names. */
export class Person {
  readonly name: string
  readonly page: Page
  readonly board: Board
  /** Events that no test may cause: uncaught errors, crashes, violations of the content security policy. */
  readonly complaints: string[] = []
  /** The last lines of the engine's trace, which `People` switches on. */
  readonly trace: string[] = []

  constructor(name: string, page: Page) {
    this.name = name
    this.page = page
    this.board = new Board(page)
    page.on("pageerror", (error) => {
      // Conditions that Firefox reports as errors: an absent server, a connection that fails while it is made,
      // and a worker whose page was left early. A module that is really missing stops the test, because the
      // engine is then missing.
      if (
        !/^(?:Firefox can’t establish|The connection to ws|(?:WebRTC: )?ICE failed|error loading dynamically imported)/u.test(
          error.message,
        )
      )
        // Some have neither a message nor a stack: then the page and what sort of error it was are all there is.
        this.complaints.push(
          `uncaught at ${page.url()}: ${error.name}: ${error.stack || error.message || "(says nothing)"}`,
        )
    })
    page.on("console", (message) => {
      if (/content.security.policy/iu.test(message.text())) this.complaints.push(message.text())
      if (TRACE_LINE.test(message.text())) this.trace.push(message.text())
      if (this.trace.length > TRACE_LINES_MAX) this.trace.shift()
    })
  }

  get lock(): Locator {
    return this.page.getByRole("button", { name: "Security", exact: true })
  }

  /** Errors, in the page's words. */
  get problem(): Locator {
    return this.page.getByRole("alert")
  }

  async start(origin: string, options: StartOptions = {}): Promise<void> {
    await this.page.goto(origin)
    await this.type("Your name", this.name)
    const { title, history, keyAgreement, cipher, provedBy, quantumComputers } = options
    if (title !== undefined || history !== undefined) await this.unfold("Options")
    if (title !== undefined) await this.type("Title (everybody with the link sees it)", title)
    if (history !== undefined) await this.page.getByLabel("Newcomers see").selectOption(history)
    if ([keyAgreement, cipher, provedBy, quantumComputers].some((chosen) => chosen !== undefined))
      await this.unfold("Cryptography")
    if (keyAgreement !== undefined) await this.page.getByLabel("Key agreement").selectOption(keyAgreement)
    if (cipher !== undefined) await this.page.getByLabel("Encryption", { exact: true }).selectOption(cipher)
    if (provedBy !== undefined) await this.page.getByLabel("What proves who drew").selectOption(provedBy)
    if (quantumComputers !== undefined) await this.page.getByLabel("Quantum computers").selectOption(quantumComputers)
    await this.press("Start a conference")
    await this.seesLock("Only you are here.")
  }

  /** Opens a link and enters; whether that works out is for the test to see. */
  async join(link: string): Promise<void> {
    await this.page.goto(link)
    await expect(this.page.getByRole("button", { name: "Join", exact: true })).toBeVisible()
    // At once: in Firefox by a script of the page. A name of an earlier visit may arrive before it or after it.
    await this.page.getByLabel("Your name").fill(this.name)
    await this.press("Join")
  }

  /** Presses "Copy link" and pastes: what the clipboard holds then. */
  async copyLink(): Promise<string> {
    await this.press("Copy link")
    await expect(this.page.getByRole("button", { name: "Link copied" })).toBeVisible()
    const message = this.page.getByLabel("Message", { exact: true })
    await message.click()
    await this.page.keyboard.press("ControlOrMeta+V")
    const link = await message.inputValue()
    await this.page.keyboard.press("ControlOrMeta+A")
    await this.page.keyboard.press("Delete")
    return link
  }

  leave(): Promise<void> {
    return this.press("Leave")
  }

  async seesLock(text: string | RegExp): Promise<void> {
    await expect(this.lock, `the lock of ${this.name}`).toHaveText(text)
  }

  /** @param verified how many of them this person has verified */
  seesEncryptedFor(people: number, verified = 0): Promise<void> {
    const encrypted = `Encrypted. ${people} people can read this.`
    return this.seesLock(verified === 0 ? encrypted : `${encrypted} · ${verified} verified`)
  }

  /** Unfolds the part of the screen under this heading. */
  unfold(heading: string): Promise<void> {
    return this.page.getByText(heading, { exact: true }).click()
  }

  /** The number in the security panel. */
  async epoch(): Promise<number> {
    return Number(await this.keyFact("Key number"))
  }

  /** The security panel's answer about the key under this term. */
  keyFact(term: string): Promise<string> {
    const termIn = (panel: Locator): Locator => panel.locator("dt", { hasText: term })
    return this.#inSecurity((panel) => termIn(panel).locator("xpath=following-sibling::dd[1]"))
  }

  /** The digits that all members can compare. */
  conferenceCode(): Promise<string> {
    return this.#inSecurity((panel) => panel.getByText(/^\d{5}(?: \d{5})+$/u))
  }

  /** The text of something in the Security panel, which is opened for it and closed again. */
  async #inSecurity(find: (panel: Locator) => Locator): Promise<string> {
    await this.lock.click()
    const panel = this.page.getByRole("dialog", { name: "Security" })
    await panel.getByText("Details", { exact: true }).click()
    const text = await find(panel).innerText()
    await this.page.keyboard.press("Escape")
    await expect(panel).toBeHidden()
    // The lock is given the focus a moment later: what was typed before that would go there in part.
    await expect(this.lock).toBeFocused()
    return text
  }

  /** The names under "People", sorted, this person's own marked with "(you)". */
  async people(): Promise<string[]> {
    await this.page.getByRole("tab", { name: "People" }).click()
    const rows = this.page.getByRole("tabpanel", { name: "People" }).getByRole("listitem")
    const items = await rows.locator(".member-name").allInnerTexts()
    await this.page.getByRole("tab", { name: /^Chat/u }).click()
    return items.map((item) => item.replaceAll(/\s+/gu, " ").trim()).toSorted()
  }

  /** Opens the codes to be compared with somebody, under "People". */
  async compareCodesWith(name: string): Promise<Locator> {
    await this.page.getByRole("tab", { name: "People" }).click()
    await this.act(name, /^(?:Verify|Codes)$/u)
    const dialog = this.page.getByRole("dialog", { name: `Verify ${name}` })
    await expect(dialog).toBeVisible()
    return dialog
  }

  /** Chooses from the menu of somebody's row under "People", which is open. */
  async act(name: string, what: string | RegExp): Promise<void> {
    await this.press(`More about ${name}`)
    const menu = this.page.getByRole("menu")
    const item =
      typeof what === "string" ? menu.getByText(what, { exact: true }) : menu.getByRole("menuitem", { name: what })
    await item.click()
    await expect(item).toBeHidden()
  }

  /** Whether "People" shows this person as verified. */
  async sees(name: string, mark: "Verified by you" | "Not the key that you verified"): Promise<void> {
    await this.page.getByRole("tab", { name: "People" }).click()
    const row = this.page.getByRole("tabpanel", { name: "People" }).getByRole("listitem").filter({ hasText: name })
    await expect(row.getByRole("img", { name: mark })).toBeVisible()
  }

  async say(text: string): Promise<void> {
    await this.paste("Message", text)
    await this.page.keyboard.press("Enter")
  }

  /** Messages of the chat, in displayed order, without those still being sent. */
  async said(): Promise<Said[]> {
    const said = await this.page
      .getByRole("log")
      .locator("article:not([data-pending])")
      .evaluateAll((articles) =>
        articles.map((article) => ({
          from: article.querySelector("header bdi")?.textContent ?? "",
          text: article.querySelector("p")?.textContent ?? "",
          transferred: article.querySelector("header")?.textContent?.includes("sent while you were away") ?? false,
        })),
      )
    return said.map((message) => (message.from === "You" ? { ...message, from: this.name } : message))
  }

  async texts(): Promise<string[]> {
    return (await this.said()).map(({ text }) => text)
  }

  press(name: string): Promise<void> {
    return this.page.getByRole("button", { name, exact: true }).click()
  }

  /**
   * Key by key: over WebDriver BiDi, Playwright's `fill` assigns `value` in the page's own world. React's `onChange`
   * ignores the input event that follows, so only a `TextField` notices it.
   */
  async type(label: string, text: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).pressSequentially(text)
  }

  /** At once: with every key the page thinks and is drawn anew, which is most of the work of those who say much. */
  async paste(label: string, text: string): Promise<void> {
    const field = this.page.getByLabel(label, { exact: true })
    const entered = await field.evaluate((element: HTMLElement, text) => {
      element.focus()
      // Old, but what a browser has for this. React notices it, in Firefox as well.
      return document.execCommand("insertText", false, text)
    }, text)
    expect(entered, `${this.name} enters "${text}"`).toBe(true)
  }
}
