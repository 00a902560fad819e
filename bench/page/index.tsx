/** The benchmark in the browser: mounted by the app at `/bench`, and in nothing else of it. */
import "./page.css"
import { createRoot } from "react-dom/client"
import { BenchPage } from "./BenchPage.tsx"

/** @param commit of the build */
export function showBench(root: HTMLElement, commit: string): void {
  createRoot(root).render(<BenchPage commit={commit} />)
}
