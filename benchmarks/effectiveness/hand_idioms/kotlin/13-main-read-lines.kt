import java.io.File
import kotlin.system.exitProcess

fun main(args: Array<String>) {
    if (args.isEmpty()) {
        println("Usage: tally <file>")
        exitProcess(1)
    }
    val file = File(args[0])
    if (!file.exists()) {
        System.err.println("File not found: ${args[0]}")
        exitProcess(1)
    }
    file.useLines { lines ->
        lines.filter { it.isNotBlank() }.forEach { println(it.trim()) }
    }
}
