@Entity
@Table(name = "greenhouses")
public class Greenhouse implements Serializable {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private Long id;

    @Column(name = "name", nullable = false, length = 120)
    private String name;

    @ManyToOne(fetch = FetchType.LAZY)
    @JoinColumn(name = "garden_id")
    private Garden garden;

    @OneToMany(mappedBy = "greenhouse", cascade = CascadeType.ALL)
    private List<Plant> plants = new ArrayList<>();

    public Greenhouse() {
    }
}
