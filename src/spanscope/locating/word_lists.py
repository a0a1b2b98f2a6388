"""Words of some languages that guards treat by themselves; others are held to numbers and unlike words."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEGATIONS = _words(
    """no not non none never neither nor nobody nothing nowhere without cannot can't won't don't doesn't didn't
    isn't aren't wasn't weren't shouldn't wouldn't couldn't hasn't haven't hadn't mustn't cant wont dont
    doesnt didnt isnt arent wasnt werent lacks absence denies except unless hardly nicht kein keine keinen
    keinem keiner keines nie niemals nichts niemand weder ohne außer ne pas jamais rien aucun aucune sans ni
    nul nulle sauf sin nunca jamás nada nadie ningún ninguno ninguna tampoco senza mai niente nessuno nessuna
    né sem não nenhum nenhuma niet geen nooit zonder niets inte ingen inga aldrig utan ikke aldri uten không
    chẳng chưa chả đừng لا لم لن ليس ليست غير بدون دون ما не нет ни никогда без нельзя никто ничто אין לא בלי
    אינו אינה değil yok hayır olmadan nie bez żaden nigdy δεν μη χωρίς ποτέ नहीं न मत बिना
    不 没 無 无 非 未 否 勿 别
    莫 ない ません
    nije nema není nejsou nikdy žádný žádná žádné nelze nikada nem nincs nincsen nélkül ei eivät emme ette
    älä älkää ilman tidak bukan tanpa jangan nu fără niciun nicio ні немає жоден değildir değildi değiller
    yoktur
    نه نیست بدون نہیں না নয় නැත tiada keinerlei nėra nebuvo ikkje ekki"""
)
UNSPACED_NEGATIONS = (
    "ません",
    "ない",
    "なかっ",
    "不",
    "没",
    "無",
    "无",
    "非",
    "未",
    "否",
    "勿",
    "别",
    "ไม่",
    "않",
    "못",
    "없",
)
FUNCTION = _words(
    """a an the this that these those of in on at to for from by with within into onto over under and or but if
    then than as is are was were be been being am has have had having do does did done will would shall
    should may might can could must it its they them their there here he him his she her we us our you your i
    my me who whom whose which what when where while also any such all each every some always duly so just
    very too again still already both either about after before during through between among upon per
    via up down out off along following prior because since until though although however therefore thus
    hence same own please well now too ever even quite rather further
    furthermore moreover der die das den dem des ein eine einen einem einer eines und oder aber wenn dann als
    ist sind war waren sein wird werden wurde wurden hat haben hatte kann können soll sollen muss müssen darf
    dürfen mag er sie es wir ihr ihm ihn ihre ihren ihrem ihrer sich von vom zu zum zur in im ins an am auf
    aus bei beim mit nach für über unter um durch gegen vor hinter ab seit bis zwischen während auch noch
    schon sehr so dass daß welche welcher welches dieser diese dieses jeder jede jedes stets dabei hier dort
    da man bereits le la les l un une des du de d et ou mais si que qui dont où ce cet cette ces il elle ils
    elles on nous vous je tu se s y en au aux à dans par pour sur sous avec est sont était étaient être sera
    seront a ont avait avoir fait doit doivent peut peuvent très aussi tout tous toute toutes leur leurs
    son sa ses puis bien dûment toujours el los las lo una unos unas y o pero si que quien del al en por para
    con es son era eran ser será ha han había debe deben puede pueden muy también todo todos su sus se il
    gli i uno dei delle della dello e o ma se che di da in con su per tra fra è sono era essere sarà anche
    os as um uma uns umas do da dos das no na nos nas e ou mas se que com por para são foi ser também
    mais de het een en of maar als dat die van op aan bij met voor door is zijn was waren wordt worden ook
    nog và của là có được cho với trong trên dưới các những một này đó khi thì mà ở tại từ đến sẽ đã đang
    cũng rất rồi bị في من إلى على عن مع هذا هذه ذلك تلك التي الذي أن إن كان كانت قد و ف ب ل ثم أو أيضا كل بعد
    قبل خلال عند и или а но что как в на по с со к ко у о об от до из за для при это этот эта эти он она они
    его её их был была было были есть бы же ли также уже ещё
    的 了 在 是 和 与 及 或 也 就 都 而 将 应 于 之 其 该 此 并 被 把 对 从
    向 以 为 地 得 着 过"""
)
# Words for which another of the same row changes what is said, though they are short, alike or function words.
OPPOSITES = tuple(
    _words(row)
    for row in """mr mrs ms miss
        i we you he she they
        my our your his her their
        me us you him her them
        am pm
        before after
        within after
        until from since
        least most
        many few
        left right
        over under
        above below
        up down
        in out
        on off
        may must shall
        can must
        can cannot
        all any none some
        more less fewer
        and or
        always never sometimes
        buyer seller
        lessor lessee
        licensor licensee
        employer employee
        payer payee
        vendor vendee
        mortgagor mortgagee
        plaintiff defendant
        first second third fourth fifth sixth seventh eighth ninth tenth
        one two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred thousand
        hundred thousand million billion
        hundreds thousands millions billions trillions
        million billion trillion
        january february march april june july august september october november december
        monday tuesday wednesday thursday friday saturday sunday
        today tomorrow yesterday
        north south east west
        men women
        male female
        man woman
        minimum maximum
        gross net
        hot cold
        vor nach
        bis ab seit
        er sie wir ich
        mehr weniger
        mindestens höchstens
        million milliarde billion
        millionen milliarden billionen
        januar februar märz april mai juni juli august september oktober november dezember
        montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
        und oder
        links rechts
        kann muss darf
        mit ohne
        erste zweite dritte vierte fünfte
        eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf
        avant après
        gauche droite
        il elle nous vous je
        plus moins
        jusqu depuis dès
        million milliard
        millions milliards
        janvier février mars avril mai juin juillet août septembre octobre novembre décembre
        lundi mardi mercredi jeudi vendredi samedi dimanche
        peut doit
        deux trois quatre cinq six sept huit neuf dix
        antes después
        él ella
        más menos
        enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
        lunes martes miércoles jueves viernes sábado domingo
        gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
        lunedì martedì mercoledì giovedì venerdì sabato domenica
        più meno
        prima dopo
        janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
        mais menos
        antes depois
        januari februari maart april mei juni juli augustus september oktober november december
        январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
        января февраля марта апреля мая июня июля августа сентября октября ноября декабря
        понедельник вторник среда четверг пятница суббота воскресенье
        до после
        он она мы вы
        ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
        önce sonra""".splitlines()
)
# The same for single characters of Chinese and Japanese.
_CHARACTERS = _words(
    """零一二三四五六七八九十百千万亿 零一二三四五六七八九十百千萬億 〇一二三四五六七八九十 买卖 買賣 買売
    甲乙丙丁 上下 前后 前後 左右 男女 高低 增减 增減 増減 有无 有無 内外 內外 入出 进出 進出 收付 借贷 借貸
    东西南北 東西南北 大小 多少 早晚 先后 先後 开关 開關 開閉 始终 始終 年月日周天时分秒 年月日週天時分秒
    升降 父母 夫妻 正负 正負 公私 新旧 新舊 冷热 冷熱 能否 可否 两三四五六七八九十 兩三四五六七八九十"""
)
OPPOSITES += tuple(map(frozenset, _CHARACTERS))
# Numbers as words, but for those that are another word in a language beside them: one, due, sept, neuf, once.
NUMBERS = {
    word: value
    for value, row in enumerate(
        """zero cero
        -
        two zwei zwo deux twee två dwa два
        three drei trois tres drie tre trzy три
        four vier quatre cuatro quattro fyra cztery четыре
        five fünf cinq cinco cinque vijf fem pięć пять
        six sechs zes sześć шесть
        seven sieben siete sette zeven sju siedem семь
        eight acht huit ocho oito åtta osiem восемь
        nine neun nueve negen nio dziewięć девять
        ten zehn dix diez dieci tien tio десять
        eleven elf onze
        twelve zwölf douze doce dodici twaalf tolv двенадцать
        thirteen dreizehn treize trece tredici dertien
        fourteen vierzehn quatorze catorce veertien
        fifteen fünfzehn quinze quince vijftien
        sixteen sechzehn dieciséis zestien
        seventeen siebzehn
        eighteen achtzehn
        nineteen neunzehn
        twenty zwanzig vingt veinte venti twintig tjugo двадцать""".splitlines()
    )
    for word in row.split()
    if word != "-"
}
NUMBERS |= {
    word: 10 * tens
    for tens, row in enumerate(
        """thirty dreißig dreissig trente treinta trenta dertig тридцать
        forty vierzig quarante cuarenta quaranta veertig сорок
        fifty fünfzig cinquante cincuenta cinquanta vijftig пятьдесят
        sixty sechzig soixante sesenta sessanta zestig
        seventy siebzig setenta settanta
        eighty achtzig ochenta ottanta
        ninety neunzig noventa novanta""".splitlines(),
        start=3,
    )
    for word in row.split()
}
OPPOSITE_PREFIXES = (
    *(("in", "de"), ("in", "ex"), ("im", "ex"), ("in", "out"), ("hyper", "hypo"), ("pre", "post")),
    *(("over", "under"), ("up", "down"), ("inter", "intra"), ("as", "des"), ("macro", "micro"), ("max", "min")),
    *(("inner", "outer"), ("on", "off"), ("ante", "post"), ("auf", "ab"), ("ein", "aus"), ("an", "ab")),
)
NEGATING_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "mis", "не", "без", "nicht", "ne", "nie")
