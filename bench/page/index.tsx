/** The benchmark in the browser: mounted by the app at `/bench`, and in nothing else of it. */
import "./page.css"
import { createRoot } from "react-dom/client"
import { BenchPage } from "./BenchPage.tsx"

/** @param version of the build */
export function showBench(root: HTMLElement, version: string): void {
  createRoot(root).render(<BenchPage version={version} />)
}
