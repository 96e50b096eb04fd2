#pragma once

#include <memory>
#include <string>
#include <vector>

namespace zoo {

class Animal {
public:
    Animal(const std::string& name, int age) : m_name(name), m_age(age) {}
    virtual ~Animal() = default;

    const std::string& getName() const { return m_name; }
    void setName(const std::string& name) { m_name = name; }
    int getAge() const { return m_age; }
    void setAge(int age) { m_age = age; }

private:
    std::string m_name;
    int m_age;
};

}  // namespace zoo
