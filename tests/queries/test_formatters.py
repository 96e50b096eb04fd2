"""Code is found, and matches nearly as a whole, after a formatter added, removed or moved tokens of little weight."""

from __future__ import annotations

import pytest

from tests.queries.indexes import add_files
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.languages import LANGUAGES
from wherefrom.model import Representation
from wherefrom.options import SearchOptions
from wherefrom.queries.searching import search
from wherefrom.results import Hit, Region

pytestmark = pytest.mark.usefixtures("both_ways")

REFORMATTED = {
    "bash, semicolons": (
        "bash",
        """
        collect() { local folder=$1; shift; count=0; for each in "$@"; do if [ -f "$folder/$each" ]; then
        cp -p "$folder/$each" "$target"; count=$((count + 1)); else echo "no $each"; missing=1; fi; done
        find "$target" -name "*.old" -newer "$folder/last" -print0 | xargs -0 -n 8 gzip -9 > "$log" 2>&1; sync; }
        """,
        """
        collect() {
            local folder=$1
            shift
            count=0
            for each in "$@"
            do
                if [ -f "$folder/$each" ]
                then
                    cp -p "$folder/$each" "$target"
                    count=$((count + 1))
                else
                    echo "no $each"
                    missing=1
                fi
            done
            find "$target" -name "*.old" -newer "$folder/last" -print0 | xargs -0 -n 8 gzip -9 > "$log" 2>&1
            sync
        }
        """,
    ),
    "c, braces": (
        "c",
        """
        int drain(struct tank *tank, int level) {
            if (tank->level < level) return -1;
            while (tank->level > level) tank->level -= step(tank);
            for (int i = 0; i < tank->valves; i++) if (tank->open[i]) close_valve(tank, i); else tank->shut++;
            return tank->level;
        }
        """,
        """
        int drain(struct tank *tank, int level) {
            if (tank->level < level) { return -1; }
            while (tank->level > level) { tank->level -= step(tank); }
            for (int i = 0; i < tank->valves; i++) {
                if (tank->open[i]) { close_valve(tank, i); } else { tank->shut++; }
            }
            return tank->level;
        }
        """,
    ),
    "c, strings": (
        "c",
        """
        static void usage(FILE *out, const char *name) {
            fprintf(out, "usage: %s [options] folder, which has to be there and writable\\n", name);
            fprintf(out, "  --all take hidden files as well, and those that are linked\\n");
            if (has_colors(out)) fprintf(out, "  --color always, never or automatically\\n");
            exit(out == stderr ? 2 : 0);
        }
        """,
        """
        static void usage(FILE *out, const char *name) {
            fprintf(out, "usage: %s [options] folder, "
                         "which has to be there and writable\\n", name);
            fprintf(out, "  --all take hidden files as well, "
                         "and those that are linked\\n");
            if (has_colors(out)) fprintf(out, "  --color always, "
                                              "never or automatically\\n");
            exit(out == stderr ? 2 : 0);
        }
        """,
    ),
    "cpp, specifiers": (
        "cpp",
        """
        class Tank {
            static inline const int liters = 40;
            static constexpr double half(const Tank& tank) { return tank.level_ / 2.0; }
            friend const Tank& fuller(const Tank& one, const Tank& other);
            inline static const char* name(const Tank& tank) { return tank.names_[tank.number_ % liters].c_str(); }
        };
        """,
        """
        class Tank {
            inline static int const liters = 40;
            constexpr static double half(Tank const& tank) { return tank.level_ / 2.0; }
            friend Tank const& fuller(Tank const& one, Tank const& other);
            static inline char const* name(Tank const& tank) { return tank.names_[tank.number_ % liters].c_str(); }
        };
        """,
    ),
    "csharp, modifiers and braces": (
        "csharp",
        """
        class Tank {
            static public readonly int Liters = 40;
            readonly private static string[] names = { "fresh", "salt" };
            override sealed public int Drain(int level) {
                if (level > Level) return 0;
                Level -= level; Flow(level, 3); return Level;
            }
            async static internal Task Fill(Tank tank) { while (tank.Level < Liters) await tank.Step(1); }
        }
        """,
        """
        class Tank {
            public static readonly int Liters = 40;
            private static readonly string[] names = { "fresh", "salt" };
            public sealed override int Drain(int level) {
                if (level > Level) { return 0; }
                Level -= level; Flow(level, 3); return Level;
            }
            internal static async Task Fill(Tank tank) { while (tank.Level < Liters) { await tank.Step(1); } }
        }
        """,
    ),
    "elixir, parentheses": (
        "elixir",
        """
        def drain(tank, level) do
          steps = Enum.count(tank.valves, &open?/1)
          emptied = Enum.map(tank.valves, fn valve -> valve.level - level * steps end)
          case close(tank, steps - 1) do
            {:ok, closed} -> notify closed, level + steps
            :error -> raise Tank.Error, tank: tank
          end
          store tank, emptied
        end
        """,
        """
        def drain(tank, level) do
          steps = Enum.count(tank.valves, &open?/1)
          emptied = Enum.map(tank.valves, fn valve -> valve.level - level * steps end)
          case close(tank, steps - 1) do
            {:ok, closed} -> notify(closed, level + steps)
            :error -> raise(Tank.Error, tank: tank)
          end
          store(tank, emptied)
        end
        """,
    ),
    "go, semicolons": (
        "go",
        """
        func (t *Tank) Drain(level int) error {
            t.mu.Lock(); defer t.mu.Unlock();
            before := t.level; t.level = level;
            for i := 0; i < len(t.valves); i++ { t.valves[i].Close(); t.shut++; };
            if before < level { t.level = before; return errLow; };
            return nil;
        }
        """,
        """
        func (t *Tank) Drain(level int) error {
            t.mu.Lock()
            defer t.mu.Unlock()
            before := t.level
            t.level = level
            for i := 0; i < len(t.valves); i++ {
                t.valves[i].Close()
                t.shut++
            }
            if before < level {
                t.level = before
                return errLow
            }
            return nil
        }
        """,
    ),
    "java, modifiers": (
        "java",
        """
        class Tank {
            final static public int LITERS = 40;
            final private Map<String, Valve> valves = new TreeMap<>();
            static final private String[] NAMES = {"fresh", "salt"};
            final synchronized public int drain(int level) { this.level -= level; flow(level, 3); return this.level; }
            static private Tank open(String name, int level) { return new Tank(NAMES[level % 2] + name, level); }
        }
        """,
        """
        class Tank {
            public static final int LITERS = 40;
            private final Map<String, Valve> valves = new TreeMap<>();
            private static final String[] NAMES = {"fresh", "salt"};
            public final synchronized int drain(int level) { this.level -= level; flow(level, 3); return this.level; }
            private static Tank open(String name, int level) { return new Tank(NAMES[level % 2] + name, level); }
        }
        """,
    ),
    "java, strings": (
        "java",
        """
        void check(Tank tank, int level) {
            if (tank.level() < level) throw new TankException("the tank has less than the order says: " + level);
            for (Valve valve : tank.valves())
                log.warn("a valve is still open, which should be closed before the tank is drained", valve);
            report.add(tank.name(), "drained to the level of the order, with all valves closed");
        }
        """,
        """
        void check(Tank tank, int level) {
            if (tank.level() < level) {
                throw new TankException("the tank has less " + "than the order says: " + level);
            }
            for (Valve valve : tank.valves()) {
                log.warn("a valve is still open, which should be closed "
                    + "before the tank is drained", valve);
            }
            report.add(tank.name(), "drained to the level of the order, "
                + "with all valves closed");
        }
        """,
    ),
    "javascript, braces": (
        "javascript",
        """
        function drain(tank, level) {
            if (tank.level < level) return -1
            while (tank.level > level) tank.level -= step(tank)
            for (const valve of tank.valves) if (valve.open) close(tank, valve); else tank.shut++
            return tank.level
        }
        """,
        """
        function drain(tank, level) {
            if (tank.level < level) { return -1 }
            while (tank.level > level) { tank.level -= step(tank) }
            for (const valve of tank.valves) { if (valve.open) { close(tank, valve) } else { tank.shut++ } }
            return tank.level
        }
        """,
    ),
    "javascript, semicolons": (
        "javascript",
        """
        function drain(tank, level) {
            const before = tank.level;
            tank.level = level;
            emptied += before;
            tank.rows = table.filter((row) => row.open && row.level < level).map(({ name, low }) => [name, ...lows]);
            let open = 0;
            tank.valves.forEach((valve) => {
                open++;
                valve.close();
                tank.shut--;
            });
            notify(tank, open);
            return before;
        }
        """,
        """
        function drain(tank, level) {
            const before = tank.level
            tank.level = level
            emptied += before
            tank.rows = table.filter((row) => row.open && row.level < level).map(({ name, low }) => [name, ...lows])
            let open = 0
            tank.valves.forEach((valve) => {
                open++
                valve.close()
                tank.shut--
            })
            notify(tank, open)
            return before
        }
        """,
    ),
    "kotlin, modifiers and braces": (
        "kotlin",
        """
        class Tank {
            const private val LITERS = 40
            override public fun drain(level: Int): Int {
                if (level > this.level) return 0 else flow(level, 3)
                return this.level
            }
            lateinit internal var valves: List<Valve>
            suspend private fun fill(tank: Tank) { while (tank.level < LITERS) tank.step(1) }
            inline private fun half(tank: Tank) = tank.level / 2.0
        }
        """,
        """
        class Tank {
            private const val LITERS = 40
            public override fun drain(level: Int): Int {
                if (level > this.level) { return 0 } else { flow(level, 3) }
                return this.level
            }
            internal lateinit var valves: List<Valve>
            private suspend fun fill(tank: Tank) { while (tank.level < LITERS) { tank.step(1) } }
            private inline fun half(tank: Tank) = tank.level / 2.0
        }
        """,
    ),
    "lua, parentheses": (
        "lua",
        """
        local valves = require "tank.valves"
        function M.drain(tank, level)
            if (tank.level < level) then error "too low" end
            while (tank.level > level) do tank.level = tank.level - step{tank, 2} end
            for _, valve in ipairs(tank.valves) do if (valve.open) then valves.close{valve} end end
            local rows = {{name = "low", from = level / 2, to = 3 * level - 1}, {name = "high", from = level ^ 2}}
            return tank.level
        end
        """,
        """
        local valves = require("tank.valves")
        function M.drain(tank, level)
            if tank.level < level then error("too low") end
            while tank.level > level do tank.level = tank.level - step({tank, 2}) end
            for _, valve in ipairs(tank.valves) do if valve.open then valves.close({valve}) end end
            local rows = {{name = "low", from = level / 2, to = 3 * level - 1}, {name = "high", from = level ^ 2}}
            return tank.level
        end
        """,
    ),
    "objc, braces": (
        "objc",
        """
        - (int)drain:(Tank *)tank to:(int)level {
            if (tank.level < level) return -1;
            while (tank.level > level) tank.level -= [self step:tank];
            for (Valve *valve in tank.valves) if (valve.open) [valve closeBy:self]; else tank.shut++;
            return tank.level;
        }
        """,
        """
        - (int)drain:(Tank *)tank to:(int)level {
            if (tank.level < level) { return -1; }
            while (tank.level > level) { tank.level -= [self step:tank]; }
            for (Valve *valve in tank.valves) { if (valve.open) { [valve closeBy:self]; } else { tank.shut++; } }
            return tank.level;
        }
        """,
    ),
    "ocaml, parentheses": (
        "ocaml",
        """
        let rec drain tank level =
          if tank.level < level && not tank.shut then begin warn tank level; raise (Low level) end
          else begin tank.level <- (step tank); List.iter close tank.valves; drain tank (level + 1) end;;
        let half tank = (float_of_int tank.level) /. 2.0;;
        let fuller one other = if one.level > other.level && not one.shut then one else other;;
        """,
        """
        let rec drain tank level =
          if tank.level < level && not tank.shut then ( warn tank level; raise (Low level))
          else ( tank.level <- step tank; List.iter close tank.valves; drain tank (level + 1))
        let half tank = float_of_int tank.level /. 2.0
        let fuller one other = if one.level > other.level && not one.shut then one else other
        """,
    ),
    "php, modifiers and braces": (
        "php",
        """<?php
        class Tank {
            static public $liters = 40;
            static final public function drain($tank, $level) {
                if ($tank->level < $level) return -1;
                while ($tank->level > $level) $tank->level -= self::step($tank);
                foreach ($tank->valves as $valve) if ($valve->open) close($tank, $valve); else $tank->shut++;
                return $tank->level;
            }
            static private function half($tank) { return $tank->level / 2; }
        }
        """,
        """<?php
        class Tank {
            public static $liters = 40;
            final public static function drain($tank, $level) {
                if ($tank->level < $level) { return -1; }
                while ($tank->level > $level) { $tank->level -= self::step($tank); }
                foreach ($tank->valves as $valve) {
                    if ($valve->open) { close($tank, $valve); } else { $tank->shut++; }
                }
                return $tank->level;
            }
            private static function half($tank) { return $tank->level / 2; }
        }
        """,
    ),
    "python, a class without bases": (
        "python",
        """
        class Valve():
            shut = 0
        class Pump():
            power = 3
        class Tank():
            class Low():
                level = 0
            def drain(self, level):
                while self.level > level:
                    self.level -= self.step(2)
        """,
        """
        class Valve:
            shut = 0
        class Pump:
            power = 3
        class Tank:
            class Low:
                level = 0
            def drain(self, level):
                while self.level > level:
                    self.level -= self.step(2)
        """,
    ),
    "python, strings": (
        "python",
        """
        def check(tank, level):
            if tank.level < level:
                raise TankError("the tank has less " "than the order says", level)
            for valve in tank.valves:
                log.warning("a valve is still open, which should be closed " "before the tank is drained", valve)
            report.add(tank.name, "drained to the level of the order, " "with all valves closed")
        """,
        """
        def check(tank, level):
            if tank.level < level:
                raise TankError("the tank has less than the order says", level)
            for valve in tank.valves:
                log.warning("a valve is still open, which should be closed before the tank is drained", valve)
            report.add(tank.name, "drained to the level of the order, with all valves closed")
        """,
    ),
    "rust, arms": (
        "rust",
        """
        fn drain(tank: &mut Tank, order: Order) -> Result<u32, Low> {
            match order {
                Order::Empty => { tank.shut(0) },
                Order::Level(level) if tank.level < level => { return Err(Low::new(level)) },
                Order::Level(level) => { tank.level = level; tank.flow(3) },
                Order::Half => { tank.level /= 2 },
                Order::Wait => log(tank),
            }
            Ok(tank.level)
        }
        """,
        """
        fn drain(tank: &mut Tank, order: Order) -> Result<u32, Low> {
            match order {
                Order::Empty => tank.shut(0),
                Order::Level(level) if tank.level < level => return Err(Low::new(level)),
                Order::Level(level) => {
                    tank.level = level;
                    tank.flow(3)
                }
                Order::Half => tank.level /= 2,
                Order::Wait => log(tank),
            }
            Ok(tank.level)
        }
        """,
    ),
    "scala, modifiers and braces": (
        "scala",
        """
        class Tank {
            final private val liters = 40
            override protected def drain(level: Int): Int = { if (level > this.level) { 0 } else { flow(level, 3) } }
            implicit lazy private val valves: List[Valve] = { load("valves").map(_.open) }
            final override def half(tank: Tank): Double = { tank.level / 2.0 }
        }
        """,
        """
        class Tank {
            private final val liters = 40
            protected override def drain(level: Int): Int = if (level > this.level) 0 else flow(level, 3)
            private implicit lazy val valves: List[Valve] = load("valves").map(_.open)
            override final def half(tank: Tank): Double = tank.level / 2.0
        }
        """,
    ),
    "swift, modifiers": (
        "swift",
        """
        class Tank {
            static public let liters = 40
            final override public func drain(level: Int) -> Int {
                self.level -= level; flow(level, by: 3); return self.level
            }
            weak private var owner: Owner?
            lazy internal var valves: [Valve] = load("valves")
            static private func half(tank: Tank) -> Double { return Double(tank.level) / 2.0 }
        }
        """,
        """
        class Tank {
            public static let liters = 40
            override public final func drain(level: Int) -> Int {
                self.level -= level; flow(level, by: 3); return self.level
            }
            private weak var owner: Owner?
            internal lazy var valves: [Valve] = load("valves")
            private static func half(tank: Tank) -> Double { return Double(tank.level) / 2.0 }
        }
        """,
    ),
    "typescript, semicolons": (
        "typescript",
        """
        class Tank {
            level = 40;
            shut = 0;
            private names: string[] = [];
            drain(level: number): number {
                const before = this.level;
                this.level = level;
                rows = table.filter((row) => row.open && row.level < level).map(({ name, low }) => [name, ...lows]);
                if (before < level) throw new Low(level);
                this.shut++;
                return before;
            }
        }
        """,
        """
        class Tank {
            level = 40
            shut = 0
            private names: string[] = []
            drain(level: number): number {
                const before = this.level
                this.level = level
                rows = table.filter((row) => row.open && row.level < level).map(({ name, low }) => [name, ...lows])
                if (before < level) { throw new Low(level) }
                this.shut++
                return before
            }
        }
        """,
    ),
}


def first(language: str, indexed: str, query: str) -> Hit:
    """The first hit in an index of this file and of unrelated files."""
    engine = MemoryEngine(scheme_ids())
    others = [f"int f{n}(int a) {{ step{n * n}(a + {n}, b[{n % 7}]); return n{n} - {n + 5}; }}" for n in range(25)]
    contents = [each.encode() for each in (indexed, *others)]
    add_files(engine, contents, name=f"a{LANGUAGES[language].extensions[0]}")
    return search(engine, query.encode(), SearchOptions(language=language)).hits[0]


@pytest.mark.thorough
@pytest.mark.matrix("language")
@pytest.mark.parametrize(
    ("language", "before", "after"), [pytest.param(*change, id=name) for name, change in REFORMATTED.items()]
)
def test_what_a_formatter_changes_counts_next_to_nothing(language: str, before: str, after: str) -> None:
    for indexed, query in ((before, after), (after, before)):
        hit = first(language, indexed, query)
        assert hit.blob == "b0"
        assert hit.match >= 96.9
        same = [pair for pair in hit.regions if pair.representation is Representation.EXACT]
        assert same
        for pair in same:
            # On one side the region may contain text that is not a token, such as a trailing comma.
            assert symbols(language, query, pair.query) == symbols(language, indexed, pair.document)


def symbols(language: str, code: str, region: Region) -> list[int]:
    """The tokens of a region."""
    tokens = analyze_snippet(code.encode(), language=language).tokens
    inside = (tokens.starts >= region.start_byte) & (tokens.ends <= region.end_byte)
    return [int(symbol) for symbol in tokens.codes[inside]]


def test_what_else_differs_counts_in_full() -> None:
    language, before, after = REFORMATTED["c, braces"]
    other = after.replace("return -1", "throw(tank)").replace("return tank->level", "goto again")
    whole, less = first(language, before, after).match, first(language, before, other).match
    assert less < whole - 4
