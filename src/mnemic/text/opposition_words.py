"""The words by which statements contradict each other, or do not, in English, German, Russian, Japanese and Chinese.

English and German share their tables: short sentences in Latin letters rarely show which they are. Words are folded
(`folding.fold`), of one word each unless said otherwise. `docs/explanation/trust-contradictions.md` says what each is
for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What the words of a language that writes blanks do in a statement.

    Attributes:
        negations: They turn a statement into its opposite.
        fillers: They change nothing: articles, `now`, `currently`, helping verbs beside a negation.
        longer: They belong to a negation: no `longer`, nicht `mehr`.
        additive: A statement that holds one adds to another: `also`.
        past: A statement that holds one tells of a time that is over, or of something that happened once.
        exclusive: Verbs of which a subject has one object at a time: lives, uses, prefers.
        copulas: They say what a subject is: exclusive when the subject is an attribute of something.
        several: Verbs and words of which a subject may have many objects: likes, has a.
        attributes: Nouns that have one value at a time: limit, deadline, colour.
        prepositions: After a copula they tell a place or a time.
        purposes: What follows them may be many things: used `for` this and that.
        changes: Verbs that say that something became something else.
        origins: What stands before the old value, with a verb of `changes`.
        targets: What stands before the new value.
        antonyms: Pairs that cannot both be so.
    """

    negations: frozenset[str]
    fillers: frozenset[str]
    longer: frozenset[str]
    additive: frozenset[str]
    past: frozenset[str]
    exclusive: frozenset[str]
    copulas: frozenset[str]
    several: frozenset[str]
    attributes: frozenset[str]
    prepositions: frozenset[str]
    purposes: frozenset[str]
    changes: frozenset[str]
    origins: frozenset[str]
    targets: frozenset[str]
    antonyms: frozenset[frozenset[str]]


def _antonyms(text: str) -> frozenset[frozenset[str]]:
    pairs: set[frozenset[str]] = set()
    for line in text.strip().splitlines():
        ones, _, others = line.partition("|")
        pairs |= {frozenset((one, other)) for one in ones.split() for other in others.split()}
    return frozenset(pairs)


LATIN: Final = Wording(
    negations=_words(
        "not no never neither nor without cannot nobody nothing nicht kein keine keinen keinem keiner keines nie "
        "niemals niemand nichts ohne"
    ),
    fillers=_words(
        "a an the this that now currently still really just please do does did always every each actually today "
        "presently generally usually again ein eine einen einem einer eines der die das den dem des jetzt nun aktuell "
        "derzeit momentan noch immer jeder jede jedes jeden wirklich gerade stets zur zurzeit our my unser unsere "
        "mein meine"
    ),
    longer=_words("longer anymore more any mehr"),
    additive=_words(
        "also too another additionally besides second third other else both either auch ausserdem zusatzlich "
        "ebenfalls weitere weiterer weiteres zweite zweiter dritte anderer andere beide"
    ),
    past=_words(
        "was were had used formerly previously once earlier ago yesterday last did went met saw bought visited ate "
        "read ran flew drove took gave said told wrote sent came became began broke built sold lost won found made "
        "failed happened occurred fruher ehemals damals einst gestern letzte letzten letztes war waren hatte hatten "
        "wurde wurden ging traf trafen sah kaufte besuchte las lief flog fuhr nahm gab sagte schrieb kam begann "
        "verlor gewann fand machte gekauft besucht gegessen gelesen gelaufen geflogen gefahren getroffen gesehen "
        "gegangen"
    ),
    exclusive=_words(
        "live lives living reside resides work works use uses using prefer prefers need needs require requires cost "
        "costs run runs listen listens start starts end ends begin begins leave leaves arrive arrives close closes "
        "open opens expire expires deploy deploys default defaults belong belongs called named located based stored "
        "hosted scheduled planned due set sits stands weighs lasts takes holds report reports wohnt wohne wohnen lebt "
        "lebe leben arbeitet arbeite arbeiten verwendet verwenden nutzt nutzen benutzt benutzen bevorzugt bevorzugen "
        "braucht benotigt kostet kosten lauft laufen lauscht beginnt endet startet fahrt schliesst offnet gehort "
        "heisst heissen liegt steht befindet gespeichert gehostet geplant fallig betragt dauert wiegt berichtet"
    ),
    copulas=_words("is are am be equals ist sind bin sei lautet"),
    several=_words(
        "like likes love loves enjoy enjoys hate hates dislike dislikes speak speaks know knows has have own owns "
        "play plays read reads eat eats drink drinks visit visits watch watches mag mogen liebt lieben hasst spricht "
        "sprechen kennt kennen hat haben besitzt spielt spielen liest lesen isst essen trinkt trinken sammelt "
        "collects can kann includes contains enthalt"
    ),
    attributes=_words(
        "limit deadline colour color name title owner manager boss price address email password port version size "
        "budget capital headquarters status date birthday time timeout salary height weight age language timezone "
        "editor framework database host url branch period quota maximum minimum default favourite favorite contact "
        "number rate fee threshold interval leader lead chef chefin leiter leiterin farbe preis adresse passwort "
        "grosse alter gewicht geburtstag termin frist abgabe sitz hauptstadt zeitlimit lieblingsfarbe lieblingsessen "
        "sprache besitzer eigentumer ansprechpartner hochstzahl grenze mindestalter standard husband wife mother "
        "father mann frau mutter vater"
    ),
    prepositions=_words("in on at from until by for under am im um ab bis bei unter auf seit to per"),
    purposes=_words("for as with and or about fur als mit und oder uber"),
    changes=_words(
        "moved moves switched switches migrated changed changes replaced raised lowered increased decreased renamed "
        "relocated transferred joined moving switching umgezogen gezogen gewechselt wechselte umgestiegen umgestellt "
        "geandert erhoht gesenkt umbenannt migriert verlegt verschoben"
    ),
    origins=_words("from von vom"),
    targets=_words("to into with onto auf nach zu zum zur"),
    antonyms=_antonyms("""
online running up | offline down stopped
enabled active on activated | disabled inactive off deactivated
open opened | closed shut locked
true correct right | false incorrect wrong
public | private secret
allowed permitted | forbidden prohibited banned
mandatory required compulsory | optional voluntary
always | never
alive | dead
married | single divorced
full | empty
hot warm | cold
increase increases rises | decrease decreases falls
likes loves | hates dislikes
before | after
first | last
cheap | expensive
early | late
morning | evening
accepted approved | rejected declined
success successful | failure failed
eingeschaltet aktiviert aktiv an | ausgeschaltet deaktiviert inaktiv aus
offen geoffnet | geschlossen gesperrt
wahr richtig | falsch
offentlich | privat geheim
erlaubt | verboten
pflicht verpflichtend | freiwillig optional
mag liebt | hasst
immer | nie
verheiratet | ledig geschieden
voll | leer
angenommen | abgelehnt
vor | nach
"""),
)

RUSSIAN: Final = Wording(
    negations=_words("не нет никогда ни без никто ничего нельзя"),
    fillers=_words(
        "сейчас теперь всегда каждый каждое каждую все еще уже наш наша наше наши мой моя мое мои этот эта это эти "
        "сегодня обычно действительно есть пожалуйста"
    ),
    longer=_words("больше более уже"),
    additive=_words("также тоже еще другой другая другое второй вторая второе третий кроме оба обе"),
    past=_words("раньше прежде ранее бывший бывшая когда-то однажды вчера прошлый прошлом прошлой был была было были"),
    exclusive=_words(
        "живет живу живут проживает работает работаю работают использует использую используем используют предпочитает "
        "предпочитаю предпочитаем нуждается требует стоит начинается заканчивается отправляется прибывает открывается "
        "закрывается проходит называется зовут находится расположен расположена хранится составляет равен равна равно "
        "длится весит слушает принадлежит запланирован запланирована назначен назначена нужно надо"
    ),
    copulas=_words("— это является"),
    several=_words(
        "любит люблю любят нравится ненавидит говорит знает имеет владеет играет читает ест пьет смотрит "
        "коллекционирует есть умеет может содержит"
    ),
    attributes=_words(
        "лимит срок цвет имя название владелец начальник цена адрес почта пароль порт версия размер бюджет столица "
        "офис статус дата рождения время зарплата рост вес возраст язык редактор база период квота максимум минимум "
        "любимый любимая любимое контакт номер порог интервал руководитель муж жена мать отец день"
    ),
    prepositions=_words("в во на до с со к по у от из"),
    purposes=_words("для как и или с со о об"),
    changes=_words(
        "переехал переехала переехали перешел перешла перешли сменил сменила сменили изменен изменена изменили "
        "заменили повышен понижен увеличен уменьшен переименован перенесен перенесена перевели мигрировали"
    ),
    origins=_words("с со из от"),
    targets=_words("на в во к до"),
    antonyms=_antonyms("""
включен включена включено | выключен отключен выключена отключена выключено отключено
открыт открыта открыто | закрыт закрыта закрыто
верно правда истина | неверно ложь неправда
публичный открытый | приватный закрытый секретный
разрешено можно | запрещено нельзя
обязательно | необязательно добровольно
активен активна | неактивен неактивна
любит | ненавидит
женат замужем | холост разведен разведена
полон | пуст
принят принята | отклонен отклонена
до | после
доступен доступна | недоступен недоступна
"""),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunWording:
    """The same for a script without blanks, as alternatives of a regular expression.

    `topic` ends what a statement is about; `at_end` says that the verb comes last. `ending` is what may follow the stem
    of the last verb, with and without a negation.
    """

    negation: str
    filler: str
    additive: str
    past: str
    exclusive: str
    copula: str
    several: str
    attribute: str
    topic: str
    change: str
    target: str
    origin: str
    residence: str
    ending: str
    antonyms: frozenset[frozenset[str]]


JAPANESE: Final = RunWording(
    negation="ません|ない|なかった|ず(?=に)",
    filler="もう|現在|今は|今|まだ|いつも|必ず|毎回|実際に|、|,|。|！|\\s",
    additive="でも働|(?<![てとでい])も(?=[^うのしっとち])|また|別の|他の|さらに|もう一|二番目|二人目|両方",
    past="以前|かつて|昔|昨日|先週|先月|去年|ました|でした|(?<!し)た$|った|んだ$",
    exclusive=(
        "に住ん|に住む|で働|に勤め|を使|を利用|を好|の方が好|という名前|にあり|にある|に位置|に出|に始ま|に終わ|に届|に開|に閉|で開催|で動|で稼働|"
        "で待ち受け|が必要|かかり|かかる"
    ),
    copula="です|である|だ$|になります",
    several="が好き|は好き|が嫌い|を話|がいます|がいる|を持|を食べ|を飲|を読|を買|を訪|ができ|を見",
    attribute=(
        "の|上限|制限|期限|締め切り|締切|会議|名前|色|住所|価格|値段|番号|パスワード|ポート|版|バージョン|予算|誕生日|時間|担当|責任者|所有者|"
        "本社|首都|言語|最大|最小|期間|間隔"
    ),
    topic="は|が|には|では",
    change="引っ越|引越|移行し|変更|切り替え|切替|乗り換え|移転|転職|変わ|移っ|移り",
    target="[にへ]",
    origin="から",
    residence="に住|で働|に勤め|を使|を利用|にあり|にある|です",
    ending=(
        "ではありません|じゃありません|ではない|じゃない|くない|ていません|ていない|ています|ている|でいません|でいない|でいます|でいる|ません|ました|"
        "ます|ない|です|である|だ|る|う|く|す|む|つ|ぬ|ぶ|ぐ"
    ),
    antonyms=_antonyms("""
オン 有効 | オフ 無効
稼働中 稼働 | 停止中 停止
開 公開 | 閉 非公開 閉鎖
可能 許可 | 不可能 不可 禁止
必須 義務 | 任意
好き | 嫌い
既婚 | 独身 未婚
正しい | 間違い
満員 | 空
承認 | 却下 拒否
前 | 後
午前 | 午後
最初 | 最後
"""),
)

CHINESE: Final = RunWording(
    negation="不|没有|没|未|无|非(?!常)|别",
    filler="现在|目前|已经|已|再|了|都|总是|一直|其实|每次|，|,|。|！|\\s",
    additive="也|还|另|另外|以及|第二|其他|别的|两个都",
    past="以前|曾经|曾|过去|从前|昨天|上周|上个月|去年|了|过(?![敏滤程期])",
    exclusive=(
        "住在|居住在|工作在|在|使用|用|采用|偏好|更喜欢|宁愿|位于|设在|需要|花费|监听|开始于|结束于|叫|名叫|存放在|属于|运行在|等于|为"
    ),
    copula="是",
    several="喜欢|爱|讨厌|会说|会|有|买|去过|吃|喝|读|看|玩|认识|拥有|养",
    attribute=(
        "的|上限|限制|期限|截止|日期|例会|会议|名字|颜色|地址|价格|密码|端口|版本|预算|生日|时间|负责人|经理|总部|首都|语言|最大|最小|周期|"
        "间隔|数量"
    ),
    topic="",
    change="搬到|搬去|搬家到|迁移到|迁到|换成|换到|改为|改成|改用|转到|转为|调整为|跳槽到|升级到",
    target="",
    origin="从|由",
    residence="住在|在|使用|用|采用|是",
    ending="",
    antonyms=_antonyms("""
开启 启用 打开 开 | 关闭 禁用 停用 关
在线 | 离线
公开 | 私有 保密
允许 可以 | 禁止
必须 必填 | 可选 自愿
喜欢 爱 | 讨厌 恨
已婚 | 未婚 单身 离婚
正确 对 | 错误 错
满 | 空
通过 批准 | 拒绝 驳回
之前 | 之后
上午 | 下午
有效 | 无效
"""),
)
