@RestController
@RequestMapping("/api/museums")
public class MuseumController {

    @Autowired
    private MuseumService museumService;

    @GetMapping
    public List<Museum> getAll() {
        return museumService.findAll();
    }

    @GetMapping("/{id}")
    public ResponseEntity<Museum> getById(@PathVariable Long id) {
        return museumService.findById(id)
                .map(ResponseEntity::ok)
                .orElse(ResponseEntity.notFound().build());
    }

    @PostMapping
    public ResponseEntity<Museum> create(@Valid @RequestBody Museum museum) {
        return new ResponseEntity<>(museumService.save(museum), HttpStatus.CREATED);
    }
}
