import type { TextsWithoutOne } from "../plurals.ts"

export const start: TextsWithoutOne["start"] = {
  lead: "リンクを持つ人のためのホワイトボードとチャットです。描いたものと書いたものを読めるのは、会議にいる人だけです。このサーバーにも読めません。",
  name: "あなたの名前",
  nameMissing: "ほかの人にわかるように、名前を入力してください。",
  create: "会議を始める",
  options: "オプション",
  cryptography: "暗号の方式",
  cryptographyHint: "鍵の作り方です。ここで何も選ばなくてもかまいません。",
  majorityNames: "「オプション」の「参加できる人」で、人を指名してください。",
  title: "タイトル（リンクを持つ人全員に見えます）",
  admission: "参加できる人",
  admissions: {
    link: "リンクを持つ人全員",
    approval: "自分が一人ずつ許可した人",
    roster: "自分が指名した人だけ",
    ca: "特定の組織の人だけ",
  },
  history: "あとから来た人に見えるもの",
  historyEverything: "最初からすべて",
  historyFromJoin: "今のホワイトボードと新しいメッセージ",
  historyHints: {
    everything:
      "参加者が、あとから来た人に以前のメッセージを送ります。メッセージは変えられませんが、一部を省いたり順番を変えたりする可能性はあります。",
    "from-join": "あとから来た人に、以前のメッセージは届きません。ホワイトボードにあるものは見えます。",
  },
  keyAgreement: "鍵の取り決め方",
  keyAgreementHints: {
    tgdh: "通常の選択です。全員が鍵作りに加わり、大人数でも参加や退出が速く済みます。",
    str: "全員が鍵作りに加わります。参加は速く、早くからいた人の退出には時間がかかります。",
    bd: "変化のたびに全員がもう一度加わります。計算は少なく、大人数では通信が多くなります。",
    gdh: "全員が順番に加わります。何人も同時に来ると時間がかかります。",
    ckd: "一人が鍵を作り、ほかの一人ひとりに渡します。簡単ですが、ほかの人は鍵作りに加わりません。",
    majority: "指名した人のためのものです。半数を超える人が来ると鍵ができます。不在の人も鍵を知ることができます。",
  },
  authenticity: "描いた人を何で証明するか",
  authenticityHints: {
    signature: "通常の選択です。ほかの人の名前で描いたり指したりすることは誰にもできません。",
    group:
      "測定では速くなりません。参加者が互いの名前で描いたり指したりでき、閲覧者は置けません。メッセージにはこの場合も署名が付きます。",
  },
  cipher: "暗号方式",
  cipherHints: {
    "aes-256-gcm": "ほとんどの端末で高速です。",
    "chacha20-poly1305": "安全性は同じです。古い電話など、AESが遅い端末に向いています。通話ではAESを使います。",
    "aes-256-gcm-siv":
      "端末の複製などで乱数が重なっても、文章を守ります。速度は落ち、同じ端末のほかのプログラムに知られることが増える可能性があります。通話ではAES-256-GCMを使います。",
  },
  postQuantum: "量子コンピューター",
  postQuantumModes: { off: "追加の保護なし", hybrid: "追加の保護あり（ML-KEM-768）" },
  postQuantumHints: {
    off: "今の会議を記録した人が、将来の量子コンピューターで読める可能性があります。",
    hybrid: "今日の記録は、将来の量子コンピューターからも守られます。鍵のデータが少し増えます。",
  },
  duration: "終了までの時間",
  hours_other: "{{count}}時間",
  days_other: "{{count}}日",
  or: "または",
  link: "招待リンク",
  linkInvalid: "完全な招待リンクではありません。# より後ろも含めて、もう一度コピーしてください。",
  linkElsewhere: "このリンクは{{host}}のものです。アドレスバーで開いてください。",
  join: "参加",
  footer: "端から端まで暗号化されています。サーバーに見えるのは誰がいつ接続したかだけで、話の内容は見えません。",
  whatIsProtected: "何が守られますか？",
  hideAddress: "ほかの人に自分のインターネットアドレスを隠す",
  hideAddressHint:
    "すべてが中継を通ります。中継は内容を読めません。速度は落ちます。サーバーにはアドレスが見えます。通話は、サーバーに通話用の中継がある場合だけ使えます。",
}

export const enter: TextsWithoutOne["enter"] = {
  title: "会議に招待されています",
  over: "この会議は終わりました",
  ended: "{{name}}さんが{{time}}にこの会議を終了しました。",
  endedByYou: "あなたは{{time}}にこの会議を終了しました。",
  about: "内容",
  madeBy: "作成者",
  you: "{{name}}（自分）",
  whoMay: "参加できる人",
  newcomers: "あとから来た人に見えるもの",
  opens: "開始",
  ends: "終了",
  looking: "招待を確認しています…",
  unverified: "本人未確認：名前は本人が入力したものです。",
  changedKey: "ご注意ください。これはあなたが本人確認した{{name}}さんではなく、別の鍵を持つ人です。",
  policies: {
    link: "リンクを持つ人全員。",
    approval: "リンクを持ち、ホストが一人ずつ許可した人。ホストの許可を待つことになります。",
    approvalByCreator: "リンクを持ち、ホストが一人ずつ許可した人。",
    roster_other: "指名された{{count}}人だけ。",
    ca: "{{name}}が証明した人だけ。",
  },
  more: "この会議の詳細",
  join: "参加",
  instead: "自分の会議を始める",
}

export const working: TextsWithoutOne["working"] = {
  creating: "会議を始めています…",
  joining: "参加しています…",
  resuming: "会議に戻っています…",
  leaving: "退出しています…",
}
