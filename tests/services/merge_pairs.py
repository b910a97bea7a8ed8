"""Pairs of texts that one memory could say, and pairs that must stay two: written for this project.

Every second pair of each list is held out: what decides was not tuned on it. `SAME`: the second text says what the
first says, or all of it and more, or the other way round. `APART`: however alike they read, something else is said.
"""

from __future__ import annotations

from typing import NamedTuple


class Pair(NamedTuple):
    """Two texts of one language, whether they may become one, and whether the pair is held out."""

    language: str
    same: bool
    held_out: bool
    one: str
    other: str


_SAME = {
    "en": [
        ("The staging server is restarted every night at two.", "the staging server is restarted every night at two"),
        ("Anna drinks green tea in the afternoon.", "Anna currently drinks green tea in the afternoon."),
        ("Invoices go to Bert. He checks the totals.", "Invoices go to Bert. He checks the totals. Copies go to Runa."),
        ("Backups run on Sunday.\n\nThey take an hour.", "Backups run on Sunday. They take an hour."),
        ("The cello is at the luthier.", "The cello is at the luthier, because a peg is broken."),
        ("- Tests first\n- Small commits\n- No force push", "Tests first. Small commits. No force push."),
        ("Runa keeps bees behind the lighthouse.", "Runa keeps bees behind the lighthouse and sells the honey."),
        ("We deploy from the release branch. Ask Ida before.", "Ask Ida before. We deploy from the release branch."),
        ("The printer is on the second floor.", "The printer is on the second floor!"),
        ("Use tabs in Makefiles.", "Please use tabs in Makefiles."),
        ("Rent is paid on the first. It is 900 euro.", "Rent is paid on the first. It is 900 euro. Ask Ida."),
        ("The parser reads UTF-8 only.", "The parser reads UTF-8 only, since most files are."),
        ("Anna prefers green tea over coffee.", "Anna likes green tea better than coffee."),
        ("Send invoices to Bert.", "Bert is the one to send invoices to."),
        ("The wiki moved to the new host. Old links still work.", "Old links still work although the wiki moved."),
        ("Port 8080 is used by the proxy.", "The proxy uses port 8080."),
        ("Ida signs contracts. Runa archives them. Both work in Lund.", "Ida signs contracts. Runa archives them."),
        ("Runa's birthday is on 4 June.", "Runa's birthday is on 4 June (she likes cake)."),
    ],
    "de": [
        ("Die Sicherung läuft jede Nacht um drei.", "die sicherung läuft jede nacht um drei"),
        ("Rechnungen prüft Berta. Sie ist genau.", "Rechnungen prüft Berta. Sie ist genau. Kopien bekommt Ida."),
        ("Der Server steht in Lübeck.", "Der Server steht derzeit in Lübeck."),
        ("Anna trinkt grünen Tee.", "Anna trinkt grünen Tee, weil Kaffee sie wach hält."),
        ("Vor dem Einspielen fragen wir Ida.", "Vor dem Einspielen fragen wir Ida!"),
        ("- Erst Tests\n- Kleine Schritte", "Erst Tests.\nKleine Schritte."),
        ("Das Auto steht im Hof.", "Das Auto steht im Hof, denn die Garage ist voll."),
        ("Der Drucker ist oben. Papier liegt daneben.", "Papier liegt daneben. Der Drucker ist oben."),
        ("Berta mag lieber Tee als Kaffee.", "Tee ist Berta lieber als Kaffee."),
        ("Verträge unterschreibt Ida.", "Ida unterschreibt die Verträge."),
    ],
    "ru": [
        ("Сервер перезапускается каждую ночь.", "сервер перезапускается каждую ночь"),
        ("Анна пьёт зелёный чай.", "Анна пьет зеленый чай."),
        ("Счета получает Вера. Она проверяет суммы.", "Счета получает Вера. Она проверяет суммы. Копии идут Олегу."),
        ("Принтер стоит на втором этаже.", "Принтер сейчас стоит на втором этаже."),
        ("Виолончель у мастера.", "Виолончель у мастера, потому что сломан колок."),
        ("Сначала тесты. Потом код.", "Сначала тесты.\n\nПотом код."),
        ("Вера держит пчёл за маяком.", "Вера держит пчёл за маяком и продаёт мёд."),
        ("Аренду платят первого числа. Банк в Лунде.", "Банк в Лунде. Аренду платят первого числа."),
        ("Вера подписывает договоры.", "Договоры подписывает Вера."),
        ("Копии хранит Олег. Он в Туле.", "Копии хранит Олег. Он в Туле, на складе."),
    ],
    "ja": [
        ("アンナは緑茶を飲みます。", "アンナは緑茶を飲みます"),
        ("サーバーは毎晩再起動されます。", "サーバーは現在、毎晩再起動されます。"),
        ("会議は火曜日です。場所は二階です。", "会議は火曜日です。場所は二階です。議長は田中さんです。"),
        ("プリンターは二階にあります。", "プリンターは、二階にあります。"),
        ("バックアップは日曜日だ。", "バックアップは日曜日です。"),
        ("まずテスト。次にコード。", "まずテスト。\n次にコード。"),
        ("ＡＰＩは夜に停止します。", "APIは夜に停止します。"),
        ("請求書は佐藤さんへ送る。写しは鈴木さんへ送る。", "写しは鈴木さんへ送る。請求書は佐藤さんへ送る。"),
    ],
    "zh": [
        ("安娜喝绿茶。", "安娜喝绿茶"),
        ("服务器每天晚上重启。", "服务器目前每天晚上重启。"),
        ("会议在星期二。地点在二楼。", "会议在星期二。地点在二楼。主持人是王明。"),
        ("打印机在二楼。", "打印机，在二楼。"),
        ("先测试。再写代码。", "先测试。\n再写代码。"),
        ("发票寄给李华。副本寄给张伟。", "副本寄给张伟。发票寄给李华。"),
        ("备份在周日进行。", "备份现在在周日进行。"),
        ("ＡＰＩ夜间停止。", "API夜间停止。"),
        ("合同由李华签。", "李华负责签合同。"),
        ("每周五备份。备份要一小时。", "每周五备份，要一小时。"),
    ],
}

_APART = {
    "en": [
        ("The server in Lund is restarted by Anna's job.", "The server in Lund is restarted by Bert's job."),
        ("The rate limit is 100 requests a minute.", "The rate limit is 200 requests a minute."),
        ("Anna likes tea with milk.", "Anna likes tea with lemon."),
        ("Deploys are allowed on Friday.", "Deploys are not allowed on Friday."),
        ("The office is closed.", "The office is closed in August."),
        ("Anna lives in Oslo.", "Anna's sister lives in Oslo."),
        ("Ask Ida before you deploy.", "Ask Ida after you deploy."),
        ("We use Postgres. Backups go to Lund.", "We use Postgres. Backups go to Oslo."),
        ("Trains run from Oslo to Bergen.", "Trains run from Bergen to Oslo."),
        ("Bert called Anna about the invoice.", "Anna called Bert about the invoice."),
        ("The release is planned.", "The release is planned, but only if the tests pass."),
        ("The door code is 4711.", "The door code is 4711 0."),
        ("Runa speaks German.", "Runa speaks German, or so she says."),
        ("The meeting on 3 May is in room two.", "The meeting on 4 May is in room two."),
        ("The shop opens at nine.", "The shop opens at nine, on weekdays."),
        ("Ida approves releases.", "Ida approves releases, in summer Runa does."),
        ("The tests pass.", "The tests pass and fail in turns."),
        ("Use the old key.", "Use the old key, never the new one."),
        ("Lunch is at noon. Bring a plate. Sit by the door.", "Lunch is at noon. Bring a plate. Sit by the window."),
        ("Version 3.1 is supported.", "Version 3.10 is supported."),
        ("Anna said yes. Then she left.", "Anna said no. Then she left."),
        ("Call Bert at work.", "Call Bert at home."),
    ],
    "de": [
        ("Die Sicherung läuft jede Nacht um drei.", "Die Sicherung läuft jede Nacht um vier."),
        ("Der Hund beißt den Mann.", "Den Hund beißt der Mann."),
        ("Anna trinkt Tee.", "Anna trinkt keinen Tee."),
        ("Das Büro ist offen.", "Das Büro ist offen, wenn Ida da ist."),
        ("Wir fragen Ida vor dem Einspielen.", "Wir fragen Ida nach dem Einspielen."),
        ("Der Server steht in Lübeck.", "Der Server steht in Kiel."),
        ("Die Miete beträgt 900 Euro.", "Die Miete beträgt 950 Euro."),
        ("Berta liest Korrektur.", "Bertas Bruder liest Korrektur."),
        ("Der Laden öffnet um neun.", "Der Laden öffnet um neun, samstags um zehn."),
        ("Ida hat den Schlüssel.", "Ida hatte den Schlüssel."),
    ],
    "ru": [
        ("Анна любит Олега.", "Анну любит Олег."),
        ("Сервер стоит в Туле.", "Сервер стоит в Омске."),
        ("Лимит равен 100 запросам.", "Лимит равен 200 запросам."),
        ("Вера пьёт чай.", "Вера не пьёт чай."),
        ("Офис открыт.", "Офис открыт, если пришла Вера."),
        ("Спросите Веру до выпуска.", "Спросите Веру после выпуска."),
        ("Встреча третьего мая.", "Встреча четвёртого мая."),
        ("Поезд идёт из Тулы в Омск.", "Поезд идёт из Омска в Тулу."),
        ("Магазин открыт с девяти.", "Магазин открыт с девяти, по субботам с десяти."),
        ("Ключ у Веры.", "Ключ был у Веры."),
    ],
    "ja": [
        ("アンナは緑茶を飲みます。", "アンナは紅茶を飲みます。"),
        ("会議は火曜日です。", "会議は水曜日です。"),
        ("アンナはオスロに住んでいます。", "アンナの兄はオスロに住んでいます。"),
        ("制限は100件です。", "制限は200件です。"),
        ("金曜日にデプロイします。", "金曜日にデプロイしません。"),
        ("田中さんが佐藤さんに電話した。", "佐藤さんが田中さんに電話した。"),
        ("事務所は閉まっている。", "事務所は八月だけ閉まっている。"),
        ("サーバーは東京にある。", "サーバーは大阪にある。"),
    ],
    "zh": [
        ("安娜喝绿茶。", "安娜喝红茶。"),
        ("会议在星期二。", "会议在星期三。"),
        ("安娜住在奥斯陆。", "安娜的哥哥住在奥斯陆。"),
        ("限制是100次。", "限制是200次。"),
        ("星期五可以发布。", "星期五不可以发布。"),
        ("王明给李华打了电话。", "李华给王明打了电话。"),
        ("办公室关门。", "办公室八月关门。"),
        ("服务器在北京。", "服务器在上海。"),
    ],
}

PAIRS = tuple(
    Pair(language, same, number % 2 == 1, one, other)
    for same, lists in ((True, _SAME), (False, _APART))
    for language, pairs in lists.items()
    for number, (one, other) in enumerate(pairs)
)
