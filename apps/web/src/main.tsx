import { firstArrival, takeArrival } from "./arrival.ts"
import "./trustedTypes.ts"
import "./styles/base.css"
import "./styles/screens.css"
import "./styles/conference.css"
import "./styles/chat.css"
import { createRoot } from "react-dom/client"
import { App } from "./App.tsx"
import { openApp } from "./app.ts"
import { keepPage } from "./pwa/update.ts"
import { InsecureScreen } from "./screens/InsecureScreen.tsx"
import { ProblemScreen } from "./screens/ProblemScreen.tsx"
import { startSettings } from "./settings/settings.ts"

startSettings()
keepPage()
const root = document.getElementById("app")
if (root && location.pathname === "/bench") void showBench(root)
else showApp(root)

function showApp(root: HTMLElement | null): void {
  const first = firstArrival ?? takeArrival()
  if (root && !isSecureContext) return createRoot(root).render(<InsecureScreen arrival={first} location={location} />)
  const app = openApp(first)
  // Another link of the same conference in this tab changes only the fragment and loads nothing.
  window.addEventListener("hashchange", () => {
    const arrival = takeArrival()
    if (arrival.kind === "invitation") app.arrive(arrival)
  })
  if (root) createRoot(root).render(<App app={app} />)
}

/** The benchmark is loaded nowhere else. */
async function showBench(root: HTMLElement): Promise<void> {
  try {
    const page = await import("@keymoot/bench/page")
    page.showBench(root, import.meta.env["VITE_COMMIT"] as string)
  } catch {
    const [retry, leave] = [() => location.reload(), () => location.assign("/")]
    createRoot(root).render(<ProblemScreen problem="server-unreachable" onRetry={retry} onStart={leave} />)
  }
}
