import type { TextsWithoutOne } from "../../plurals.ts"

export const pdf: TextsWithoutOne["pdf"] = {
  insert: "PDFのページを挿入",
  drawing: "この端末でページを描いています…",
  done_other: "{{count}}ページを追加しました。",
  leftOut_other: "{{count}}ページは追加しませんでした。全部を渡すには、チャットでファイルを共有してください。",
  save: "PDFとして保存",
  saving: "この端末でPDFを作っています…",
  saved_other: "保存しました：フレームごとに1ページ、計{{count}}ページ。",
  notAllSaved_other: "フレーム{{count}}個は含まれていません。",
  emptyBoard: "ホワイトボードは空です。",
  notSaved: "PDFを作れませんでした。代わりにホワイトボードを画像として保存してください。",
  tooLarge: "このPDFは大きすぎます。代わりにチャットで共有してください。",
  notAPdf: "このファイルはPDFとして読めません。壊れているか、パスワードで保護されている可能性があります。",
}
