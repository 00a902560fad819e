/** Replaces Excalidraw's importer of Mermaid diagrams, one megabyte compressed. Its menu entry is hidden. */
export function parseMermaidToExcalidraw(): Promise<never> {
  return Promise.reject(new Error("Mermaid diagrams are not offered here."))
}
