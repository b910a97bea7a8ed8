"""Words that say how a sentence is built, not what it is about; written for this project.

Folded as `mnemic.text.folding.fold` leaves them. They are kept in the index and left out of queries, and they tell
languages apart. Question words are among them: "when did Ada move" is about Ada and moving.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final


STOP_WORDS: Final[dict[str, str]] = {
    "en": (
        "a an the this that these those there here i me my mine myself we us our ours ourselves you your yours "
        "yourself yourselves he him his himself she her hers herself it its itself they them their theirs themselves "
        "one someone anyone everyone something anything am is are was were be been being do does did doing done have "
        "has had having will would shall should can could may might must ought let lets get got and or but nor so yet "
        "if then else than because while though although unless until since whether either neither both of in on at "
        "by for with without about against between into through during before after above below to from up down out "
        "off over under again toward towards within upon along across per via as what which who whom whose when where "
        "why how whatever whichever whoever whenever wherever not no only own same too very just also even still "
        "already ever any some all each every few more most other such another now once really quite rather perhaps "
        "maybe dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt cant couldnt wont wouldnt shouldnt mustnt "
        "neednt aint cannot s t d ll m re ve o please tell say said says know"
    ),
    "de": (
        "der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines ich mich mir "
        "mein meine meinen meinem meiner meines du dich dir dein deine deinen deinem deiner deines er ihn ihm sein "
        "seine seinen seinem seiner seines sie ihr ihre ihren ihrem ihrer ihres es wir uns unser unsere unseren "
        "unserem unserer euch euer eure euren eurem eurer ihnen sich selbst man jemand etwas nichts bin bist ist sind "
        "seid war warst waren wart gewesen sei ware wird werden wirst wurde wurden worden geworden habe hast hat "
        "haben habt hatte hatten hattest gehabt kann kannst konnen konnte konnten muss musst mussen musste mussten "
        "soll sollst sollen sollte sollten will willst wollen wollte wollten darf durfen durfte mag mogen mochte "
        "mochten tun tut tat getan lassen lasst und oder aber denn sondern sowie doch wenn als ob dass weil obwohl "
        "wahrend bevor nachdem damit falls bis sowohl weder noch entweder in im an am auf aus bei beim mit nach von "
        "vom vor zu zum zur uber unter um durch fur gegen ohne zwischen hinter neben seit ab wegen trotz ins ans aufs "
        "innerhalb ausserhalb was wer wen wem wessen wann wo wohin woher warum wieso weshalb wie welche welcher "
        "welches welchen welchem wieviel wieviele womit wofur woruber woran worauf wodurch wozu wovon nicht nur auch "
        "sehr schon so mehr viel viele vielen vieler wenig immer wieder hier da dort dann nun jetzt mal ja nein "
        "dieser diese dieses diesen diesem jener jene jenes jenen jenem jeder jede jedes jeden jedem alle allem allen "
        "aller alles einige einigen einiger manche mancher manches andere anderen anderem anderer anderes solche "
        "solcher solches also dabei dazu daran darauf davon dafur dagegen darin eben etwa ganz gar hin her halt wohl "
        "zwar bitte sag sage"
    ),
    "fr": (
        "le la les l un une des du de d au aux ce cet cette ces ca cela ceci je j me m moi mon ma mes mien mienne tu "
        "te t toi ton ta tes il elle on se s soi son sa ses lui y en nous notre nos vous votre vos ils elles eux leur "
        "leurs quelqu quelque quelques quelquun chacun chacune suis es est sommes etes sont etais etait etions etiez "
        "etaient ete serai seras sera serons serez seront serais serait seraient soit soient fut furent ai as a avons "
        "avez ont avais avait avions aviez avaient eu aurai aura aurons auront aurais aurait auraient ait aient fait "
        "fais faire font faisait peut peux peuvent pouvait pu doit dois doivent devait va vais vont et ou mais donc "
        "or ni car si que qu quand lorsque lorsqu puisque parce comme tandis afin dans par pour sur sous avec sans "
        "entre vers chez depuis pendant avant apres contre selon jusque jusqu jusqua lors qui quoi quel quelle quels "
        "quelles comment pourquoi combien lequel laquelle lesquels lesquelles dont auquel duquel ne n pas plus moins "
        "tres trop bien aussi encore deja toujours jamais rien tout toute tous toutes meme memes autre autres tel "
        "telle tels telles peu beaucoup ici alors ainsi puis c ci oui non aucun aucune chaque plusieurs certains "
        "certaines estce cest aujourdhui"
    ),
    "es": (
        "el la los las lo un una unos unas al del este esta esto estos estas ese esa eso esos esas aquel aquella "
        "aquello aquellos aquellas yo me mi mis mio mia mios mias conmigo tu te ti tus tuyo tuya contigo ella ello "
        "ellos ellas le les se si su sus suyo suya suyos suyas consigo nos nosotros nosotras nuestro nuestra nuestros "
        "nuestras os vosotros vosotras vuestro vuestra usted ustedes alguien algo nadie nada uno soy eres es somos "
        "sois son era eras eramos eran fui fue fuiste fuimos fueron sea sean ser sido siendo seria serian sera seran "
        "estoy estamos estan estaba estaban estar estado estuvo estuvieron he has ha hemos han habia habian haber hay "
        "hubo haya habra habria tengo tienes tiene tenemos tienen tenia tenian tener tuvo hacer hace hacen hizo hecho "
        "puede pueden podia poder pudo debe deben y e o u pero sino mas que porque pues como cuando mientras aunque "
        "ni a ante bajo con contra de desde durante en entre hacia hasta para por segun sin sobre tras quien quienes "
        "cual cuales donde adonde cuanto cuanta cuantos cuantas cuyo cuya cuyos cuyas no muy menos mucho mucha muchos "
        "muchas poco poca pocos pocas tambien tampoco ya aun todavia siempre nunca solo tan tanto tanta tantos tantas "
        "todo toda todos todas otro otra otros otras mismo misma mismos mismas cada cualquier algun alguno alguna "
        "algunos algunas ningun ninguno ninguna aqui ahi alli alla asi entonces luego ahora antes despues bien"
    ),
    "pt": (
        "o a os as um uma uns umas ao aos do da dos das no na nos nas num numa pelo pela pelos pelas deste desta "
        "destes destas desse dessa disso disto neste nesta nesse nessa nisso nisto daquele daquela naquele naquela "
        "dele dela deles delas nele nela este esta isto estes estas esse essa isso esses essas aquele aquela aquilo "
        "aqueles aquelas eu me mim meu minha meus minhas comigo tu te ti teu tua teus tuas contigo ele ela eles elas "
        "lhe lhes se si seu sua seus suas consigo nosso nossa nossos nossas conosco vos voce voces alguem algo "
        "ninguem nada sou es e somos sao era eras eramos eram fui foi fomos foram seja sejam ser sido sendo seria "
        "seriam sera serao estou estamos estao estava estavam estar estado esteve estiveram hei ha havia houve haver "
        "tenho tens tem temos tinha tinham ter teve tiveram tido pode podem podia poder deve devem fazer faz fazem "
        "fez feito vai vao ou mas porem que porque pois como quando enquanto embora nem ante ate apos com contra de "
        "desde durante em entre para pra perante por sem sob sobre tras quem qual quais onde aonde quanto quanta "
        "quantos quantas cujo cuja cujos cujas nao sim muito muita muitos muitas mais menos pouco pouca poucos poucas "
        "tambem ja ainda sempre nunca so tao tanto tanta tantos tantas todo toda todos todas tudo outro outra outros "
        "outras mesmo mesma mesmos mesmas cada qualquer algum alguma alguns algumas nenhum nenhuma aqui ai ali la "
        "assim entao depois antes agora bem"
    ),
    "it": (
        "il lo la i gli le l un uno una al allo alla ai agli alle all del dello della dei degli delle dell dal dallo "
        "dalla dai dagli dalle dall nel nello nella nei negli nelle nell sul sullo sulla sui sugli sulle sull col coi "
        "questo questa questi queste quest quello quella quelli quelle quel quei quegli quell cio io me mi mio mia "
        "miei mie tu te ti tuo tua tuoi tue lui lei egli ella esso essa essi esse loro si se suo sua suoi sue ci noi "
        "nostro nostra nostri nostre vi voi vostro vostra vostri vostre ne gliene qualcuno qualcosa nessuno niente "
        "nulla sono sei e siamo siete ero eri era eravamo eravate erano fui fu furono sia siano essere stato stata "
        "stati state saro sara saranno sarebbe sarebbero ho hai ha abbiamo avete hanno avevo aveva avevano avere "
        "avuto avra avrebbe abbia fa fanno fare fatto faceva puo possono poteva potere deve devono doveva sta stanno "
        "stava ed o od ma pero che perche poiche come quando mentre anche dunque quindi a ad con contro da di d in "
        "per su tra fra senza sotto sopra dopo prima durante entro verso fino presso chi cosa quale quali qual dove "
        "quanto quanta quanti quante cui non no piu meno molto molta molti molte poco poca pochi poche gia ancora "
        "sempre mai solo cosi tanto tanta tanti tante tutto tutta tutti tutte altro altra altri altre stesso stessa "
        "stessi stesse ogni alcuni alcune alcuna alcun qui qua li allora poi adesso ora bene cioe c"
    ),
    "nl": (
        "de het een t n der des den deze dit die dat daar hier er ik mij me mijn mijne jij je jou jouw u uw hij hem "
        "zijn z zij ze haar hun hen ons onze wij we jullie zich zelf men iemand iets niemand niets ben bent is was "
        "waren geweest wees word wordt worden werd werden geworden heb hebt heeft hebben had hadden gehad kan kun "
        "kunt kunnen kon konden moet moeten moest moesten zal zult zullen zou zouden wil wilt willen wilde wilden mag "
        "mogen mocht mochten doe doet doen deed deden gedaan gaat gaan laat laten en of maar want dus dan als omdat "
        "hoewel terwijl toen wanneer zodat indien tenzij noch in op aan bij met van voor naar uit over onder tegen "
        "door tussen tot om te ten ter per sinds zonder achter naast tijdens vanaf rond binnen buiten wat wie wiens "
        "waar waarom waarheen waarvan waarmee waarin waarop hoe hoeveel welk welke niet geen wel ook nog al alle "
        "alles zeer heel erg meer meest veel weinig altijd nooit weer nu toch even eens zo ja nee ander andere "
        "anderen elk elke ieder iedere sommige enkele enige zulke zelfde reeds slechts vaak toe"
    ),
    "ru": (
        "и а но да или либо ни же ли бы б то не нет ведь вот уж уже еще лишь только даже разве неужели пусть я меня "
        "мне мной мною мой моя мое мои моего моей моему моим моих моими мою мы нас нам нами наш наша наше наши нашего "
        "нашей нашему нашим наших нашими нашу ты тебя тебе тобой твой твоя твое твои твоего твоей твоему твоим твоих "
        "вы вас вам вами ваш ваша ваше ваши вашего вашей вашему вашим ваших вашу он его него ему нему им ним нем она "
        "ее нее ей ней ею нею оно они их них ими ними себя себе собой свой своя свое свои своего своей своему своим "
        "своих своими свою сам сама само сами самого самой кто кого кому кем ком что чего чему чем какой какая какое "
        "какие какого какому каким каких какими какую каком который которая которое которые которого которой которому "
        "которым которых которыми которую котором чей чья чье чьи где куда откуда когда почему зачем отчего как "
        "сколько насколько это этот эта эти этого этой этому этим этих этими эту этом тот та те того той тому тем тех "
        "теми ту том такой такая такое такие такого таких таким так там тут здесь туда сюда тогда потом теперь сейчас "
        "затем весь вся все всего всей всему всем всех всеми всю каждый каждая каждое каждые каждого каждой иной "
        "другой другая другое другие других другого кое быть был была было были есть буду будет будем будут будешь "
        "будучи является являются являлся стал стала стало стали мог могла могли может могут можно нужно надо должен "
        "должна должно должны нельзя в во на с со к ко о об обо от ото до за из изо у по под подо над перед передо "
        "при про для без безо через между среди около возле после ради кроме вокруг насчет против если чтобы чтоб "
        "потому поэтому хотя пока также тоже причем зато однако будто словно раз более менее очень почти совсем "
        "всегда никогда иногда много мало чуть ну скажи расскажи пожалуйста"
    ),
    "uk": (
        "і й та а але чи або ні же б би то не ось вже уже ще лише тільки навіть хай нехай я мене мені мною мій моя "
        "моє мої мого моєї моєму моїм моїх мою ми нас нам нами наш наша наше наші нашого нашої ти тебе тобі тобою "
        "твій твоя твоє твої твого твоєї ви вас вам вами ваш ваша ваше ваші вашого він його нього йому ньому ним вона "
        "її неї їй ній нею воно вони їх них їм ними себе собі собою свій своя своє свої свого своєї своєму своїм "
        "своїх свою сам сама хто кого кому ким що чого чому чим який яка яке які якого якої якому яким яких яку "
        "котрий чий чия чиє чиї де куди звідки коли навіщо як скільки наскільки це цей ця ці цього цієї цьому цим цих "
        "цю той те ті того тієї тому тим тих ту такий така таке такі так там тут туди сюди тоді потім тепер зараз "
        "весь вся все всі всього всієї всьому всім всіх усе усі кожен кожна кожне інший інша інше інші бути був була "
        "було були є буде будуть будемо буду може можуть можна треба потрібно повинен мав мала мали має мають в у во "
        "на з із зі до від за під над перед при про для без через між серед біля після крім навколо проти по о об "
        "якщо щоб бо хоча поки також теж проте однак ніби більш менш дуже майже зовсім завжди ніколи іноді багато "
        "мало"
    ),
    "sv": (
        "och att det som en ett den de i pa av for med till ar inte om han hon jag du vi ni var vad vem nar hur "
        "varfor har hade ska kan fran eller men sa nu da sig sin min din vilken vilket vilka dar ocksa bara mycket "
        "efter"
    ),
    "pl": (
        "i w na z ze do nie sie to jest sa byl byla bylo byly o od za po przez dla przy ja ty on ona ono my wy oni "
        "mnie mi moj moja moje co kto kiedy gdzie jak dlaczego czy ktory ktora ktore jaki jaka jakie ile ale lub oraz "
        "a jako juz tylko tak takze moze ma maja bardzo jego jej ich tym tego ten ta"
    ),
    "tr": (
        "ve bir bu da de icin ile ne o ben sen biz siz onlar mi mu kim nerede nasil neden nicin hangi kac daha cok en "
        "gibi ama veya ya olan olarak var yok degil her sey kadar sonra once beni bana benim seni sana senin onu ona "
        "onun"
    ),
}

# Scripts without spaces are cut into pairs of characters; these pairs are particles, endings and question words.
STOP_PAIRS: Final[dict[str, str]] = {
    "ja": (
        "です ます でし まし ませ した して する しま すか たか たの のか のは のが のに "
        "ので ては では には とは から まで より だっ った って てい いる いま いた ある "
        "あり なる なっ こと もの ため よう それ これ あれ どれ その この あの どの ここ "
        "そこ どこ だれ いつ なぜ どう なに なん にな れる れた られ でき さん けど でも "
        "また とき いう とい うの くだ ださ さい 何が 何を 何の 何で 誰が 誰と 誰に 誰の "
        "すぐ くら らい ょう しょ はど はい はな はだ がど にど をど"
    ),
    "zh": (
        "什么 怎么 怎样 为什 哪里 哪儿 哪个 哪些 哪一 何时 时候 多少 几个 是谁 谁是 我们 "
        "你们 他们 她们 它们 一个 这个 那个 这些 那些 可以 已经 因为 所以 但是 如果 以及 "
        "或者 而且 还是 就是 不是 没有 是什 么时 的是 是在 了什 了多 有什 有多 在什 在哪 "
        "是哪 是怎 吗的 什麼 怎麼 為什 哪裡 何時 時候 幾個 是誰 我們 你們 他們 這個 那個 "
        "這些 已經 因為 沒有 麼時 還是"
    ),
}

STOP_SINGLES: Final = "はがをにへとでものやかねよなだ的了是在吗呢吧啊和就都也很嗎"
