/** The same page with webpack, which needs nothing for Keymoot either. */
export default {
  mode: "production",
  entry: ["./main.js", "./index.html"],
  output: { filename: "main.js" },
  module: { rules: [{ test: /\.html$/u, type: "asset/resource", generator: { filename: "[name][ext]" } }] },
}
