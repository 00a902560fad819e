import { firstArrival, takeArrival } from "./arrival.ts"
import "./styles/base.css"
import "./styles/screens.css"
import "./styles/conference.css"
import "./styles/chat.css"
import { createRoot } from "react-dom/client"
import { App } from "./App.tsx"
import { openApp } from "./app.ts"
import { keepPage } from "./pwa/update.ts"
import { startSettings } from "./settings/settings.ts"

startSettings()
keepPage()
const app = openApp(firstArrival ?? takeArrival())
// Another link of the same conference opened in this tab changes the fragment only and loads nothing.
window.addEventListener("hashchange", () => {
  const arrival = takeArrival()
  if (arrival.kind === "invitation") app.arrive(arrival)
})
const root = document.getElementById("app")
if (root) createRoot(root).render(<App app={app} />)
