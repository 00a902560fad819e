/** The worker of pdf.js, a file of this build like all others. It serves one PDF, and is ended with it. */
import "pdfjs-dist/legacy/build/pdf.worker.mjs"
