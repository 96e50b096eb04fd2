@RestController
@RequestMapping("/api/stables")
class StableController(private val stableService: StableService) {

    @GetMapping
    fun findAll(): List<Stable> = stableService.findAll()

    @GetMapping("/{id}")
    fun findById(@PathVariable id: Long): ResponseEntity<Stable> {
        val stable = stableService.findById(id) ?: return ResponseEntity.notFound().build()
        return ResponseEntity.ok(stable)
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    fun create(@RequestBody stable: Stable): Stable = stableService.save(stable)

    @DeleteMapping("/{id}")
    fun delete(@PathVariable id: Long) = stableService.deleteById(id)
}
