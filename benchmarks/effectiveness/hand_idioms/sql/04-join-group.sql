SELECT
    m.name AS museum,
    COUNT(v.id) AS visits,
    SUM(v.price) AS revenue,
    AVG(v.price) AS average_price
FROM museums m
LEFT JOIN visits v ON v.museum_id = m.id
INNER JOIN cities c ON c.id = m.city_id
WHERE v.visited_at >= '2020-01-01' AND c.country = 'NL'
GROUP BY m.name
HAVING COUNT(v.id) > 10
ORDER BY revenue DESC;
