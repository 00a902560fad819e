import { firstArrival, takeArrival } from "./arrival.ts"
import "./trustedTypes.ts"
import "./styles/base.css"
import "./styles/screens.css"
import "./styles/conference.css"
import "./styles/chat.css"
import { Conference } from "@keymoot/core"
import { createRoot } from "react-dom/client"
import { App } from "./App.tsx"
import { type KeymootApp, openApp } from "./app.ts"
import { keepPage } from "./pwa/update.ts"
import { InsecureScreen } from "./screens/InsecureScreen.tsx"
import { ProblemScreen } from "./screens/ProblemScreen.tsx"
import { reloadOnReturn } from "./screens/returning.ts"
import { startSettings } from "./settings/settings.ts"

if (firstArrival?.kind !== "invitation") keepPage()
askEarly()
void startSettings().then(() => {
  const root = document.getElementById("app")
  if (root && location.pathname === "/bench") void showBench(root)
  else if (root && location.pathname === "/verify" && isSecureContext) void showVerify(root)
  else if (root && window.parent !== window) void showEmbedded(root)
  else showApp(root)
})

/** Asks the server before the page is drawn. The engine has started before (`early.ts`). */
function askEarly(): void {
  if (firstArrival?.kind !== "invitation" || !isSecureContext || window.parent !== window) return
  // The screen asks for the same, and reports what fails.
  void Conference.preview({ url: firstArrival.url }).catch(() => undefined)
}

function showApp(root: HTMLElement | null): KeymootApp | null {
  const first = firstArrival ?? takeArrival()
  if (root && !isSecureContext) {
    createRoot(root).render(<InsecureScreen arrival={first} location={location} />)
    return null
  }
  const app = openApp(first)
  reloadOnReturn(app.screen, window, () => location.reload())
  if (first.kind === "invitation") keepPageOnceEntered(app)
  // Another link of the same conference in this tab changes only the fragment and loads nothing.
  window.addEventListener("hashchange", () => {
    const arrival = takeArrival()
    if (arrival.kind === "invitation") app.arrive(arrival)
  })
  if (root) createRoot(root).render(<App app={app} />)
  return app
}

/** Not while an invitation is read: the files of the page would fill the line that the join needs next. */
function keepPageOnceEntered({ screen }: KeymootApp): void {
  const unsubscribe = screen.subscribe(() => {
    if (["entering", "working"].includes(screen.get().kind)) return
    unsubscribe()
    keepPage()
  })
}

/** Inside another website: only if this server allows it. */
async function showEmbedded(root: HTMLElement): Promise<void> {
  const { embed, embedOrigins, showRefusal } = await import("./embed/embedding.tsx")
  const origins = await embedOrigins()
  if (origins.length === 0) return showRefusal(root)
  const app = showApp(root)
  if (app !== null) embed(app, root, origins)
}

/** The benchmark is loaded nowhere else. */
async function showBench(root: HTMLElement): Promise<void> {
  const page = await import("@keymoot/bench/page").catch(() => null)
  if (page === null) return showUnreachable(root)
  page.showBench(root, import.meta.env["VITE_VERSION"] as string)
}

/** Verification of archives: without an engine, and without requests. */
async function showVerify(root: HTMLElement): Promise<void> {
  const page = await import("./evidence/VerifyPage.tsx").catch(() => null)
  if (page === null) return showUnreachable(root)
  page.forbidRequests()
  createRoot(root).render(<page.VerifyPage />)
}

function showUnreachable(root: HTMLElement): void {
  const [retry, leave] = [() => location.reload(), () => location.assign("/")]
  createRoot(root).render(<ProblemScreen problem="server-unreachable" onRetry={retry} onStart={leave} />)
}
